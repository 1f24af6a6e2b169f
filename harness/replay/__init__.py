"""A game to be shown: recorded once more, drawn by the package's viewer, or played by a person."""

from harness.replay.images import images_of
from harness.replay.model import Game
from harness.replay.play import take_seat
from harness.replay.record import Replay, find_case, play_again
from harness.replay.viewer import Picture, Pictures, Viewer, viewer_of

__all__ = [
    "Game",
    "Picture",
    "Pictures",
    "Replay",
    "Viewer",
    "find_case",
    "images_of",
    "play_again",
    "take_seat",
    "viewer_of",
]
