import { type Cost, loadCost, setCostCap } from '../../actions/cost.ts'
import { s } from '../../texts/settings.ts'
import { locale, t } from '../../texts/texts.ts'
import { wordFor } from '../../texts/word-for.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { FetchFailed, refusalOf, useFetched } from '../settings/fetched.tsx'

/** What the organization costs this month, for those who pay. */
export function CostSection() {
  const cost = useFetched(loadCost)
  if (cost.refusal !== undefined) return <FetchFailed of={cost} />
  const setCap = async (dollars: number | null) => {
    const refusal = await refusalOf(setCostCap(dollars))
    if (refusal === undefined) await cost.reload()
    return refusal
  }
  return (
    <>
      <Part hint={s.cost.hint}>{cost.value && <Bill cost={cost.value} />}</Part>
      {cost.value && <Cap cost={cost.value} onSet={setCap} />}
    </>
  )
}

const MAX_CAP = 1_000_000

interface CapParts {
  readonly cost: Cost
  readonly onSet: (dollars: number | null) => Promise<string | undefined>
}

function Cap({ cost, onSet }: CapParts) {
  const { cap_dollars, deployment_cap_dollars, common_cap_dollars, used_of_cap } = cost
  const isCapped = cap_dollars !== null || used_of_cap > 0
  return (
    <Part title={s.cost.capTitle} hint={s.cost.capHint}>
      {deployment_cap_dollars !== null && <p>{s.cost.ofDeployment(money(deployment_cap_dollars))}</p>}
      {common_cap_dollars !== null && <p>{s.cost.ofAll(money(common_cap_dollars))}</p>}
      {isCapped && <p>{s.cost.used(percent(used_of_cap))}</p>}
      <ActForm line button={t.save} onAct={(form) => onSet(Number(form.get('cap')))}>
        <label class="labelled">
          <span>{s.cost.cap}</span>
          <input
            class="field"
            name="cap"
            type="number"
            min={1}
            max={MAX_CAP}
            step="0.01"
            defaultValue={cap_dollars === null ? '' : String(cap_dollars)}
            required
            autocomplete="off"
          />
        </label>
      </ActForm>
      {cap_dollars !== null && <ActButton onAct={() => onSet(null)}>{s.cost.noCap}</ActButton>}
    </Part>
  )
}

function Bill({ cost }: { readonly cost: Cost }) {
  const { month, dollars, forecast_dollars, plan_dollars, prices_of, lines } = cost
  return (
    <>
      <p>
        {s.cost.soFar({ month: monthOf(month), dollars: money(dollars), forecast: money(forecast_dollars) })}
      </p>
      <div>
        <table class="figures">
          <thead>
            <tr>
              {[s.cost.use, s.cost.amount, s.cost.costs, s.cost.forecast].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.kind}>
                <th scope="row">{wordFor(s.cost.kinds, line.kind) ?? line.kind}</th>
                <td>{amount(line.used)}</td>
                <td>{money(line.dollars)}</td>
                <td>{money(line.forecast_dollars)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="small soft">{s.cost.plan({ plan: money(plan_dollars), day: dayInWords(prices_of) })}</p>
    </>
  )
}

function money(dollars: number): string {
  return new Intl.NumberFormat(locale(), { style: 'currency', currency: 'USD' }).format(dollars)
}

function percent(part: number): string {
  return new Intl.NumberFormat(locale(), { style: 'percent' }).format(part)
}

function amount(used: number): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: used < 10 ? 1 : 0 }).format(used)
}

function monthOf(month: string): string {
  return new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01`),
  )
}

function dayInWords(day: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(day))
}
