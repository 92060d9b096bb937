/**
 * Resolves after other waiting work has had its turn. Long work is done in parts with this between them. The parts are measured in bytes or
 * pixels, since the platform's clock stands still while code runs.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
