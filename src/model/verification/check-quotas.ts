import { entriesOfUse, setUse } from '../../store/quotas/quota-rows.ts'
import { defineCheck, type Found } from './check.ts'

/**
 * Checks that the use of each quota is as the triggers have counted it. One kind in each call: its rows are
 * added up.
 */
export const checkQuotas = defineCheck({
  name: 'quotas',
  load: async () => {},
  examine({ sql }, after, repair, _loaded, contents) {
    const kinds = contents.countedKinds()
    const kind = kinds[after]
    if (kind === undefined) return { findings: [] }
    const real = contents.recount(kind)
    const stored = entriesOfUse(sql, kind)
    const findings: Found[] = []
    for (const account of new Set([...real.keys(), ...stored.keys()])) {
      const { count, bytes } = real.get(account) ?? { count: 0, bytes: 0 }
      const known = stored.get(account) ?? { count: 0, bytes: 0 }
      if (known.count === count && known.bytes === bytes) continue
      if (repair) setUse(sql, kind, account, { count, bytes })
      const whose = account === 0 ? 'the organization' : `user ${account}`
      const problem = `${known.count} and ${known.bytes} bytes are recorded, of ${count} and ${bytes}`
      findings.push({ what: `${kind} of ${whose}`, problem, repaired: repair })
    }
    return { findings, next: after + 1 < kinds.length ? after + 1 : undefined }
  },
})
