import { brokenReferences, deleteReferring } from '../../store/verification/reference-rows.ts'
import { REFERENCES } from '../../store/verification/references.ts'
import { type Check, defineCheck } from './check.ts'

/** Checks that no row names another that does not exist: one check for each reference between tables. */
export const REFERENCE_CHECKS: readonly Check[] = REFERENCES.map((reference) =>
  defineCheck({
    name: `${reference.table}.${reference.column}`,
    examine({ sql }, after, repair) {
      const { broken, next } = brokenReferences(sql, reference, after)
      const mends = repair && reference.repair === 'delete'
      if (mends) for (const each of broken) deleteReferring(sql, reference, each)
      const findings = broken.map(({ key, target }) => ({
        what: `${reference.table} ${key}`,
        problem: `${reference.column} names ${reference.target} ${target}, which is not there`,
        repaired: mends,
      }))
      return { findings, next }
    },
  }),
)
