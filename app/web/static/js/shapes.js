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
 * @property {string} notices
 *
 * @typedef {object} Entry
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
 * @property {HeardAs|null} heard
 *
 * @typedef {object} HeardAs
 * @property {string} kind
 * @property {string} category
 * @property {string} lifetime
 * @property {number} sure
 *
 * @typedef {object} EntryDetails an Entry, and
 * @property {Entry[]} older
 * @property {Entry|null} replaced_by
 * @property {Audited[]} history
 * @property {Source|null} source
 * @property {LastScores|null} last_scores
 * @property {number} access_count
 * @property {string|null} last_accessed_at
 *
 * @typedef {object} Source
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
 * @property {Entry[]} entries
 * @property {string|null} next
 *
 * @typedef {object} Kept
 * @property {string} outcome
 * @property {Entry} entry
 *
 * @typedef {object} Gone
 * @property {string[]} forgotten
 * @property {string|null} undo_until
 *
 * @typedef {object} SpaceSummary
 * @property {number} count
 * @property {BankWithEntries[]} banks
 *
 * @typedef {object} BankWithEntries
 * @property {string} bank
 * @property {number} count
 * @property {Entry[]} entries
 *
 * @typedef {object} BankList
 * @property {Bank[]} banks
 *
 * @typedef {object} Bank
 * @property {string} bank
 * @property {number} count
 * @property {number} pinned
 *
 * @typedef {object} DoubtList
 * @property {Doubt[]} doubts
 *
 * @typedef {object} Doubt
 * @property {string} id
 * @property {Entry} older
 * @property {Entry} newer
 *
 * @typedef {object} AuditLog
 * @property {Audited[]} entries
 * @property {string|null} next
 *
 * @typedef {object} Audited
 * @property {string} said
 * @property {string} created_at
 *
 * @typedef {object} Imported
 * @property {string} said
 *
 * @typedef {object} Erased
 * @property {Object<string, number>} rows
 * @property {boolean} caches_cleared
 *
 * @typedef {object} Privately
 * @property {string} privacy
 *
 * @typedef {object} ConversationList
 * @property {ToldConversation[]} conversations
 * @property {string|null} next
 *
 * @typedef {object} ToldConversation
 * @property {string} id
 * @property {string|null} title
 * @property {string} space
 * @property {string} created_at
 * @property {string} updated_at
 *
 * @typedef {object} WholeConversation a ToldConversation, and
 * @property {string} privacy
 * @property {string|null} running
 *
 * @typedef {object} MessageList
 * @property {ToldMessage[]} messages
 * @property {string|null} next
 *
 * @typedef {object} ToldMessage
 * @property {string} turn_id
 * @property {string} role
 * @property {string} text
 * @property {string} status
 * @property {string} created_at
 * @property {Used[]} memories
 * @property {QuotedMessage[]} quoted
 *
 * @typedef {object} QuotedMessage
 * @property {string} id
 *
 * @typedef {object} TurnEvent
 * @property {string} turn_id
 * @property {string} conversation_id
 * @property {string} privacy
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
 * @property {Used[]} memories
 * @property {Quoted[]} quoted
 * @property {NotUsed[]} left_out
 * @property {number} min_relevance
 * @property {Entry[]} kept
 * @property {string[]} forgotten
 * @property {boolean} erased
 * @property {boolean} unsaid
 * @property {string[]} notices
 *
 * @typedef {object} LearnedEvent
 * @property {string[]} notices
 * @property {Entry[]} kept
 * @property {Replaced[]} replaced
 * @property {OpenDoubt[]} doubts
 * @property {string[]} others
 *
 * @typedef {object} Replaced
 * @property {string} entry
 * @property {Entry[]} older
 *
 * @typedef {object} OpenDoubt
 * @property {string} id
 * @property {string} question
 * @property {Entry} older
 * @property {Entry} newer
 *
 * @typedef {object} Used
 * @property {string} id
 * @property {string|null} text
 * @property {string|null} bank
 * @property {number} relevance
 * @property {string|null} created_at
 * @property {boolean} superseded
 * @property {boolean} gone
 * @property {WhyUsed|null} why
 *
 * @typedef {object} WhyUsed
 * @property {Scores} scores
 * @property {number|null} keyword_rank
 * @property {number|null} vector_rank
 * @property {number|null} cosine
 * @property {number|null} bm25
 * @property {number|null} coverage
 * @property {string[]} notes
 *
 * @typedef {object} Scores
 * @property {number} relevance
 * @property {number} recency
 * @property {number} importance
 * @property {number} usage
 * @property {number} quality
 * @property {number} total
 *
 * @typedef {object} Quoted
 * @property {string} id
 * @property {string} conversation_id
 * @property {string} role
 * @property {string} text
 * @property {string} created_at
 * @property {number} relevance
 *
 * @typedef {object} NotUsed
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
