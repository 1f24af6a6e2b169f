. "${0%/*}/other.sh"
