/**
 * Stops an object once its commits are on disk: an object that is stopped during a commit keeps its lock in local workerd
 * for as long as anything of it lives, and cannot start again. test/realm/crash.large.test.ts tries crashes at each step, where
 * nothing else is running.
 */
export async function stopObject(context: DurableObjectState, where: string): Promise<void> {
  await context.storage.sync()
  context.abort(`stopped at ${where}`)
}
