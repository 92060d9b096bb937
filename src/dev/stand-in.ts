/**
 * Returns a stand-in for a binding with only those methods that serving a request uses, each with its type in
 * the binding.
 */
export function standIn<Binding extends object>(methods: Partial<Binding>): Binding {
  return methods as Binding
}
