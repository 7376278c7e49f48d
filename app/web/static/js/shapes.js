/**
 * What the pages read of the answers of `/v1`, by the names of its description. A test holds each of
 * these shapes against `/openapi.json`; no script is run from here.
 *
 * @typedef {object} Me
 * @property {string} user_id
 * @property {string} space
 * @property {string} auth_mode
 * @property {boolean} offline
 * @property {string} version
 *
 * @typedef {object} SpaceList
 * @property {string[]} spaces
 *
 * @typedef {object} MemorySettings
 * @property {string} space
 * @property {string} memory_mode
 * @property {boolean} incognito_default
 * @property {boolean} redact_messages
 *
 * @typedef {object} MemoryEntry
 * @property {string} id
 * @property {string} text
 * @property {string} type
 * @property {string} bank
 * @property {string[]} tags
 * @property {number} importance
 * @property {boolean} pinned
 * @property {boolean} manually_saved
 * @property {string} created_at
 * @property {string|null} occurred_at
 * @property {number} repeat_count
 * @property {string|null} superseded_by
 * @property {string|null} trimmed_at
 *
 * @typedef {object} EntryDetails an MemoryEntry, and
 * @property {MemoryEntry[]} older
 * @property {MemoryEntry|null} replaced_by
 * @property {AuditLogEntry[]} history
 * @property {MemorySource|null} source
 * @property {LastScores|null} last_scores
 * @property {number} access_count
 * @property {string|null} last_accessed_at
 *
 * @typedef {object} MemorySource
 * @property {string} conversation_id
 * @property {string} said_at
 * @property {string} text
 *
 * @typedef {object} LastScores
 * @property {number} relevance
 * @property {number} recency
 * @property {number} importance
 * @property {number} total
 *
 * @typedef {object} EntryList
 * @property {MemoryEntry[]} entries
 * @property {string|null} next
 *
 * @typedef {object} EntryWriteResult
 * @property {string} outcome
 * @property {MemoryEntry} entry
 *
 * @typedef {object} ForgottenEntries
 * @property {string[]} forgotten
 * @property {string|null} undo_until
 * @property {boolean} erased
 *
 * @typedef {object} SpaceSummary
 * @property {number} count
 * @property {BankWithEntries[]} banks
 *
 * @typedef {object} BankWithEntries
 * @property {string} bank
 * @property {number} count
 * @property {MemoryEntry[]} entries
 *
 * @typedef {object} BankList
 * @property {BankInfo[]} banks
 *
 * @typedef {object} BankInfo
 * @property {string} bank
 * @property {number} count
 * @property {number} pinned
 *
 * @typedef {object} MemoryConflictList
 * @property {MemoryConflict[]} doubts
 *
 * @typedef {object} MemoryConflict
 * @property {string} id
 * @property {MemoryEntry} older
 * @property {MemoryEntry} newer
 *
 * @typedef {object} AuditLog
 * @property {AuditLogEntry[]} entries
 * @property {string|null} next
 *
 * @typedef {object} AuditLogEntry
 * @property {string} said
 * @property {string} created_at
 *
 * @typedef {object} ImportReport
 * @property {string} said
 *
 * @typedef {object} EraseReport
 * @property {Object<string, number>} rows
 * @property {boolean} caches_cleared
 *
 * @typedef {object} ConversationPrivacy
 * @property {string} privacy
 *
 * @typedef {object} ConversationList
 * @property {ConversationInfo[]} conversations
 * @property {string|null} next
 *
 * @typedef {object} ConversationInfo
 * @property {string} id
 * @property {string|null} title
 * @property {string} space
 * @property {string} created_at
 * @property {string} updated_at
 *
 * @typedef {object} ConversationDetails a ConversationInfo, and
 * @property {string} privacy
 * @property {string|null} running
 * @property {AskedQuestion|null} question
 *
 * @typedef {object} MessageList
 * @property {ConversationMessage[]} messages
 * @property {string|null} next
 *
 * @typedef {object} ConversationMessage
 * @property {string} turn_id
 * @property {string} role
 * @property {string} text
 * @property {string} status
 * @property {string} created_at
 * @property {CitedMemory[]} memories
 * @property {CitedPastMessage[]} quoted
 *
 * @typedef {object} CitedPastMessage
 * @property {string} id
 *
 * @typedef {object} TurnStartedEvent
 * @property {string} turn_id
 * @property {string} conversation_id
 * @property {string} privacy
 * @property {boolean} kept
 *
 * @typedef {object} TextEvent
 * @property {string} text
 *
 * @typedef {object} ToolEvent
 * @property {string} said
 *
 * @typedef {object} DoneEvent
 * @property {string} status
 * @property {boolean} saved
 * @property {string} privacy
 * @property {CitedMemory[]} memories
 * @property {CitedMessage[]} quoted
 * @property {ExcludedMemory[]} left_out
 * @property {number} min_relevance
 * @property {MemoryEntry[]} kept
 * @property {ChangedEntry[]} changed
 * @property {string[]} forgotten
 * @property {boolean} erased
 * @property {boolean} unsaid
 * @property {string[]} notices
 * @property {AskedQuestion|null} question
 *
 * @typedef {object} ChangedEntry
 * @property {string} entry
 * @property {string} before
 *
 * @typedef {object} AskedQuestion
 * @property {string} text
 * @property {QuestionChoice[]} choices
 * @property {boolean} in_reply
 *
 * @typedef {object} QuestionChoice
 * @property {string} id
 * @property {string} text
 *
 * @typedef {object} LearnedEvent
 * @property {string[]} notices
 * @property {MemoryEntry[]} kept
 * @property {SupersededEntries[]} replaced
 * @property {StreamedConflict[]} doubts
 *
 * @typedef {object} SupersededEntries
 * @property {string} entry
 * @property {MemoryEntry[]} older
 *
 * @typedef {object} StreamedConflict
 * @property {string} id
 * @property {string} question
 * @property {MemoryEntry} older
 * @property {MemoryEntry} newer
 *
 * @typedef {object} CitedMemory
 * @property {string} id
 * @property {string|null} text
 * @property {string|null} bank
 * @property {number} relevance
 * @property {number|null} answers
 * @property {string|null} confidence
 * @property {string|null} created_at
 * @property {boolean} superseded
 * @property {boolean} gone
 * @property {RecallReason|null} why
 *
 * @typedef {object} RecallReason
 * @property {RecallScores} scores
 * @property {number|null} keyword_rank
 * @property {number|null} vector_rank
 * @property {number|null} cosine
 * @property {number|null} bm25
 * @property {number|null} coverage
 * @property {string[]} notes
 *
 * @typedef {object} RecallScores
 * @property {number} relevance
 * @property {number} recency
 * @property {number} importance
 * @property {number} usage
 * @property {number} quality
 * @property {number} total
 *
 * @typedef {object} CitedMessage
 * @property {string} id
 * @property {string} conversation_id
 * @property {string} role
 * @property {string} text
 * @property {string} created_at
 * @property {number} relevance
 *
 * @typedef {object} ExcludedMemory
 * @property {string} id
 * @property {string} text
 * @property {number} relevance
 * @property {string} reason
 * @property {string} said
 *
 * @typedef {object} Problem
 * @property {string} type
 * @property {string} detail
 */
