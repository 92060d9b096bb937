/**
 * Stops an object once its commits are on disk: an object that is stopped during a commit keeps its lock in local workerd as long as any
 * reference to it lives, and cannot restart. test/realm/crash.large.test.ts tries crashes at each step, while nothing else runs.
 */
export async function stopObject(context: DurableObjectState, where: string): Promise<void> {
  await context.storage.sync()
  context.abort(`stopped at ${where}`)
}
