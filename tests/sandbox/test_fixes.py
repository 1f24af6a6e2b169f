"""The fix of a missing tier is right for the machine that it is told on."""

import errno

import pytest

from harness.sandbox.launcher import SetupError
from harness.sandbox.opening import Surroundings, mend_of

ALL, NONE, DOCKERS = "000001ffffffffff", "0000000000000000", "00000000a80425fb"
REFUSED = SetupError("namespaces", errno.EPERM)


def machine(
    *there: str, root: bool = True, capabilities: str = ALL, seccomp: int = 0, files: dict[str, str] | None = None
) -> Surroundings:
    status = f"Name:\tpython3\nCapEff:\t{capabilities}\nSeccomp:\t{seccomp}\n"
    contents = {"/proc/self/status": status, **(files or {})}
    return Surroundings(root=root, content=contents.get, exists=there.__contains__)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (machine("/.dockerenv", capabilities=DOCKERS, seccomp=2), "docker run --cap-add SYS_ADMIN"),
        (machine("/run/.containerenv", capabilities=DOCKERS, seccomp=2), "podman run --cap-add SYS_ADMIN"),
        (machine("/var/run/secrets/kubernetes.io", "/.dockerenv", capabilities=DOCKERS), "securityContext"),
        (machine(capabilities=DOCKERS), "no CAP_SYS_ADMIN"),
        (machine(seccomp=2), "RestrictNamespaces="),
        (machine(files={"/proc/sys/user/max_pid_namespaces": "0"}), "sysctl user.max_pid_namespaces=10000"),
        (machine("/.dockerenv", files={"/proc/sys/user/max_mnt_namespaces": "0"}), "user.max_mnt_namespaces"),
    ],
)
def test_root_is_told_what_mends_it_there(found: Surroundings, words: str) -> None:
    assert words in mend_of(REFUSED, found)
    assert "docker run" not in mend_of(REFUSED, found) or words.startswith("docker")


def test_root_with_all_rights_is_told_the_error_and_not_how_to_start_a_container() -> None:
    assert mend_of(REFUSED, machine("/.dockerenv")) == str(REFUSED)


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "apparmor_restrict_unprivileged_userns=0"),
        ("/proc/sys/kernel/unprivileged_userns_clone", "0", "unprivileged_userns_clone=1"),
        ("/proc/sys/user/max_user_namespaces", "0", "max_user_namespaces=10000"),
    ],
)
def test_an_ordinary_user_is_told_the_switch(file: str, content: str, words: str) -> None:
    error = SetupError("user namespace", errno.EPERM)
    assert words in mend_of(error, machine(root=False, capabilities=NONE, files={file: content}))
    assert words not in mend_of(REFUSED, machine(files={file: content})), "root needs no user namespace"


def test_an_ordinary_user_in_docker_is_told_its_options() -> None:
    error = SetupError("user namespace", errno.EPERM)
    assert "docker run" in mend_of(error, machine("/.dockerenv", root=False, capabilities=NONE, seccomp=2))


@pytest.mark.parametrize(("stage", "words"), [("Landlock", "lsm="), ("namespaces", "older than 5.12")])
def test_what_the_kernel_does_not_know_is_said(stage: str, words: str) -> None:
    assert words in mend_of(SetupError(stage, errno.ENOSYS), machine("/.dockerenv"))
