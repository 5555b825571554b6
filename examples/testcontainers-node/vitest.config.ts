// A file of its own, because Vitest would otherwise take the settings of a folder above, such as those of the repository.
export default {};
