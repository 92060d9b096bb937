/** A stand-in for a binding, with those of its methods alone that serving a request uses; each has the type that the binding's has. */
export function standIn<Binding extends object>(methods: Partial<Binding>): Binding {
  return methods as Binding
}
