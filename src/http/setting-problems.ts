import { log } from '../core/log.ts'

const told = new Set<string>()

/** Tells whoever runs the deployment that a setting is not understood: once in the life of a Worker. */
export function tellSettingProblem(name: string, value: string, meaning: string): void {
  const problem = `The setting ${name} is not understood: ${JSON.stringify(value)}. ${meaning}`
  if (told.has(problem)) return
  told.add(problem)
  log('warn', 'A setting is not understood', { setting: name, value, meaning })
}
