import { log } from './log.ts'

const logged = new Set<string>()

/** Logs for operators that a setting is not understood, once in the life of a Worker. */
export function logSettingProblem(name: string, value: string, meaning: string): void {
  const problem = `The setting ${name} is not understood: ${JSON.stringify(value)}. ${meaning}`
  if (logged.has(problem)) return
  logged.add(problem)
  log('warn', 'A setting is not understood', { setting: name, value, meaning })
}
