/**
 * Returns the functions and the memory of a codec that has been started. The module does not declare their
 * types: the caller's interface does, and `names` lists them, since a new version of a library may rename
 * them.
 *
 * @throws Error when one of them is missing.
 */
export function exportsOf<Exports extends object>(
  { exports }: WebAssembly.Instance,
  names: { readonly [Name in keyof Exports]: true },
): Exports {
  if (!hasAll<Exports>(exports, names)) {
    const missing = Object.keys(names).filter((name) => !(name in exports))
    throw new Error(`The codec has no ${missing.join(', ')}`)
  }
  return exports
}

function hasAll<Exports extends object>(exports: object, names: object): exports is Exports {
  return Object.keys(names).every((name) => name in exports)
}
