import { world } from './world.ts'

/** Has `world.storage` called before every statement and alarm of an object. */
export function interceptStorage(storage: DurableObjectStorage): void {
  const { sql } = storage
  const exec = sql.exec.bind(sql)
  const setAlarm = storage.setAlarm.bind(storage)
  Object.defineProperty(sql, 'exec', {
    configurable: true,
    value: (query: string, ...values: unknown[]) => {
      world.storage(/^\s*(?:SELECT|WITH)\b/i.test(query) ? 'read' : 'write')
      return exec(query, ...values)
    },
  })
  Object.defineProperty(storage, 'setAlarm', {
    value: async (...when: Parameters<typeof setAlarm>) => {
      world.storage('alarm')
      return setAlarm(...when)
    },
  })
}
