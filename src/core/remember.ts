/** Returns a function that computes the value of each key once. */
export function remember<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key))
    return known.get(key)!
  }
}

/** Returns a function that makes its value when it is first asked for it. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
