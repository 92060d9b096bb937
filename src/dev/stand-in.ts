/** Returns a stand-in for a binding that has only the methods used to serve a request, each with its type in the binding. */
export function standIn<Binding extends object>(methods: Partial<Binding>): Binding {
  return methods as Binding
}
