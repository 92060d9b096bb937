import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { wrongLogEntries } from '../../store/verification/log-rows.ts'
import { defineCheck } from './check.ts'

/** Checks that every entry of the log can be read, and that none is missing between two others. */
export const checkLog = defineCheck({
  name: 'log',
  examine({ sql }, after) {
    const { broken, afterGap, next } = wrongLogEntries(sql, after, ENTRIES_AT_ONCE)
    const found = (problem: string) => (id: number) => ({ what: `log ${id}`, problem, repaired: false })
    const findings = [
      ...broken.map(found('cannot be read')),
      ...afterGap.map(found('the entry before it is missing')),
    ]
    return { findings, next }
  },
})
