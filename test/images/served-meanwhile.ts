/** Counts the turns that others get while `work` is done. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const others = async () => {
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      turns += 1
    }
  }
  const counted = others()
  await work()
  isDone = true
  await counted
  return turns
}
