"""Files that are whole or not there, temporary folders, and folders that strangers filled."""
