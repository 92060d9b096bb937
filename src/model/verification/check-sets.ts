import { checkSet, namesOfSets } from '../../store/id-set-rows.ts'
import { defineCheck, type Found } from './check.ts'

const SETS_AT_ONCE = 20

/** Checks that the stored sets of accounts have those of whom the rows say so. */
export const checkSets = defineCheck({
  name: 'sets of accounts',
  examine({ sql }, after, repair) {
    const names = namesOfSets(sql, after, SETS_AT_ONCE)
    const findings = names
      .filter((name) => !checkSet(sql, name, repair))
      .map((name): Found => ({ what: `set of ${name}`, problem: 'its rows say otherwise', repaired: repair }))
    return { findings, next: names.length < SETS_AT_ONCE ? undefined : after + SETS_AT_ONCE }
  },
})
