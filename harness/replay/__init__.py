"""Games to show to people: recorded in a second run, drawn by the package's viewer, or played by hand."""

from harness.replay.images import images_of
from harness.replay.manual_game import manual_game
from harness.replay.record import Game, Replay, find_case, play_again
from harness.replay.viewer import Picture, Pictures, Viewer, viewer_of

__all__ = [
    "Game",
    "Picture",
    "Pictures",
    "Replay",
    "Viewer",
    "find_case",
    "images_of",
    "manual_game",
    "play_again",
    "viewer_of",
]
