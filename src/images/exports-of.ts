/**
 * The functions and the memory of a codec that has been started. What they take the module itself does not say: it is in the
 * interface that the caller names, and `names` has one of each, since a new version of a library may call them otherwise.
 *
 * @throws Error when one of them is missing.
 */
export function exportsOf<Exports extends object>(
  { exports }: WebAssembly.Instance,
  names: { readonly [Name in keyof Exports]: true },
): Exports {
  const missing = Object.keys(names).filter((name) => !(name in exports))
  if (missing.length > 0) throw new Error(`The codec has no ${missing.join(', ')}`)
  return exports as object as Exports
}
