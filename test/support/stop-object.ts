/**
 * Stops an object once what it has committed is on disk: one that is stopped with a commit under way keeps its lock
 * in local workerd for as long as anything of it lives, and the next life cannot begin. At which step a crash makes
 * a difference test/realm/crash.test.ts tries, where nothing else goes on.
 */
export async function stopObject(context: DurableObjectState, where: string): Promise<void> {
  await context.storage.sync()
  context.abort(`stopped at ${where}`)
}
