"""What a person sees of settings and usage that are wrong. Nothing is started for it."""

from __future__ import annotations

from pathlib import Path

from tests.app.program import MakeProgram

BAD_LINES = (
    (b"TOKEN_BUDGTE=5", "TOKEN_BUDGTE: is not a setting"),
    (b"# fine\nthis is not a setting", ".env, line 2: is not of the form NAME=value"),
    (b"TOKEN_BUDGET", ".env, line 1: is not of the form NAME=value"),
    (b"TOKEN_BUDGET=many", "TOKEN_BUDGET: Input should be a valid integer"),
    (b"TOKEN_BUDGET=\xff", ".env is not UTF-8"),
)
BEYOND_REASON = (
    ("admin", "prune-vectors", "--age-days", "99999999"),
    ("admin", "rebuild-keywords", "--max-age-days", str(10**20)),
    ("jobs", "requeue", str(10**20)),
    ("jobs", "drop", str(10**20)),
)


def test_an_unknown_setting_is_named_in_one_line(make_program: MakeProgram) -> None:
    ended = make_program(KEEPSAKE_TYPO="1").run_process("chat", code=2)
    assert ended.stdout == ""
    assert ended.stderr.strip() == (
        "keepsake: The settings are not usable: KEEPSAKE_TYPO is not a setting (see .env.example)"
    )


def test_a_bad_line_of_the_env_file_is_named(tmp_path: Path, make_program: MakeProgram) -> None:
    for line, said in BAD_LINES:
        (tmp_path / ".env").write_bytes(line)
        ended = make_program().run("worker", "--check", code=2)
        assert said in ended.stderr
        assert ended.stderr.count("\n") == 1


def test_a_user_without_a_usable_name_is_refused(make_program: MakeProgram) -> None:
    for user in ("", "a\nb"):
        ended = make_program().run("chat", "--user", user, code=2)
        assert "KEEPSAKE_USER" in ended.stderr
        assert ended.stderr.count("\n") == 1


def test_a_number_beyond_all_reason_is_wrong_usage(make_program: MakeProgram) -> None:
    for typed in BEYOND_REASON:
        assert "less than or equal to" in make_program().run(*typed, code=2).stderr


def test_a_mistyped_command_gets_the_nearest(make_program: MakeProgram) -> None:
    ended = make_program().run("caht", code=2)
    assert "Did you mean 'chat'?" in ended.stderr


def test_help_and_version_need_nothing(make_program: MakeProgram) -> None:
    program = make_program()
    assert program.run("--version").stdout.startswith("Keepsake ")
    assert all(each in program.run("--help").stdout for each in ("chat", "migrate", "seed"))
    assert not program.home.exists()


def test_a_seed_file_is_checked_before_anything_is_started(
    tmp_path: Path, make_program: MakeProgram
) -> None:
    (tmp_path / "seed.json").write_text('[{"content": "a"},\n {"content": "b", "type": "fakt"}]')
    ended = make_program().run("seed", "seed.json", code=1)
    [fault, summary] = ended.stderr.splitlines()
    assert fault.startswith("line 2, entry 2: type must be one of 'fact'")
    assert summary.startswith("keepsake: seed.json was not loaded: 1 of 2 memories cannot be used.")


def test_a_database_that_is_not_there_is_one_line_without_the_password(
    tmp_path: Path, make_program: MakeProgram
) -> None:
    url = "postgresql://someone:sekret@127.0.0.1:1/nothing"
    program = make_program(DATABASE_URL=url, REDIS_URL="redis://127.0.0.1:1")
    ended = program.run_process("migrate", code=1)
    assert "The database cannot be reached" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert "sekret" not in ended.stderr + (tmp_path / "home" / "logs" / "keepsake.log").read_text()
