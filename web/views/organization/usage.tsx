import { useEffect, useRef, useState } from 'preact/hooks'
import { type Finding, loadUploadSpace, verifyData } from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { isOwner } from '../../state/own-permissions.ts'
import { s } from '../../texts/settings.ts'
import { locale, t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { sizeOf } from '../../ui/size.ts'
import { FetchFailed, refusalOf, useFetched } from '../settings/fetched.tsx'

const DAY = 86_400
/** Cloudflare's list price of a gigabyte in R2 for a month, in US dollars; the first ten are free. */
const R2_PRICE = 0.015
const R2_FREE_BYTES = 10_000_000_000
/** Number of channels shown. */
const BUSIEST = 10

/** The use of the organization, and its storage. */
export function UsageSection() {
  return (
    <>
      <People />
      <Channels />
      <Storage />
      {isOwner(state) && <DataCheck />}
    </>
  )
}

type Figure = readonly [what: string, howMuch: string, isPart?: boolean]

/** A table of two columns: what, and how much. Parts of the figure above them are indented. */
function Figures({ rows }: { readonly rows: readonly Figure[] }) {
  return (
    <table class="figures">
      <tbody>
        {rows.map(([name, value, isPart]) => (
          <tr key={name}>
            <th scope="row" class={isPart ? 'figure-part' : undefined}>
              <bdi>{name}</bdi>
            </th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function count(value: number): string {
  return new Intl.NumberFormat(locale()).format(value)
}

function People() {
  watch('user', 'presence')
  const people = [...state.users.values()].filter(({ is_active, is_bot }) => is_active && !is_bot)
  const since = (days: number) => {
    const from = Date.now() / 1_000 - days * DAY
    return people.filter(({ user_id }) => {
      const presence = state.presences.get(user_id)
      return Math.max(presence?.active_timestamp ?? 0, presence?.idle_timestamp ?? 0) >= from
    }).length
  }
  const bots = [...state.users.values()].filter(
    ({ is_active, is_bot, is_system_bot }) => is_active && is_bot && !is_system_bot,
  )
  const roles = Object.entries(t.roles)
    .map(([role, name]) => [name, people.filter((user) => user.role === Number(role)).length] as const)
    .filter(([, number]) => number > 0)
  return (
    <Part title={s.usage.people} hint={s.usage.peopleHint}>
      <Figures
        rows={[
          [s.usage.accounts, count(people.length)],
          ...roles.map(([name, number]) => [name, count(number), true] as const),
          [s.usage.bots, count(bots.length)],
          ...([1, 7, 14] as const).map((days) => [s.usage.active(days), count(since(days))] as const),
        ]}
      />
    </Part>
  )
}

function Channels() {
  watch('channel')
  const channels = [...state.channels.values()].filter(({ is_archived }) => !is_archived)
  const busiest = channels
    .filter(({ stream_weekly_traffic }) => (stream_weekly_traffic ?? 0) > 0)
    .sort((a, b) => (b.stream_weekly_traffic ?? 0) - (a.stream_weekly_traffic ?? 0))
  return (
    <Part title={s.usage.channels} hint={s.usage.channelsHint}>
      <Figures
        rows={[
          [s.usage.channelCount, count(channels.length)],
          ...busiest
            .slice(0, BUSIEST)
            .map(
              ({ name, stream_weekly_traffic: traffic }) =>
                [`#${name}`, s.usage.perWeek({ count: traffic ?? 0, written: count(traffic ?? 0) })] as const,
            ),
        ]}
      />
    </Part>
  )
}

function Storage() {
  const space = useFetched(loadUploadSpace)
  const quota = state.organization.upload_quota_mib
  if (space.refusal !== undefined) return <FetchFailed of={space} />
  const bytes = space.value ?? 0
  const price = (Math.max(0, bytes - R2_FREE_BYTES) / 1e9) * R2_PRICE
  const dollars = new Intl.NumberFormat(locale(), { style: 'currency', currency: 'USD' }).format(price)
  return (
    <Part title={s.usage.storage} hint={s.usage.storageHint}>
      <Figures
        rows={[
          [s.usage.files, space.value === undefined ? '…' : sizeOf(bytes)],
          [s.usage.quota, quota ? sizeOf(quota * 1_048_576) : s.usage.noQuota],
          [s.usage.cost, space.value === undefined ? '…' : s.usage.perMonth(dollars)],
        ]}
      />
    </Part>
  )
}

type CheckState = 'idle' | 'running' | 'done'

/** Compares the organization's data in its stores. */
function DataCheck() {
  const [now, setNow] = useState<CheckState>('idle')
  const [parts, setParts] = useState(0)
  const [findings, setFindings] = useState<readonly Finding[]>([])
  const [refusal, setRefusal] = useState<string>()
  const isThere = useRef(true)
  useEffect(
    () => () => {
      isThere.current = false
    },
    [],
  )
  const check = async (repairs: boolean) => {
    setNow('running')
    setParts(0)
    const said = await refusalOf(
      verifyData(repairs, setParts, () => isThere.current).then((found) => {
        if (isThere.current) setFindings(found)
      }),
    )
    if (!isThere.current) return
    setRefusal(said)
    setNow(said === undefined ? 'done' : 'idle')
  }
  return (
    <Part title={s.usage.check} hint={s.usage.checkHint}>
      <div class="act-line">
        <Button disabled={now === 'running'} onClick={() => check(false)}>
          {s.usage.runCheck}
        </Button>
        {now === 'done' && findings.some(({ repaired }) => !repaired) && (
          <Button onClick={() => check(true)}>{s.usage.repair}</Button>
        )}
      </div>
      <div role="status">
        {now === 'running' && s.usage.checking(parts)}
        {now === 'done' && findings.length === 0 && s.usage.clean}
      </div>
      {refusal && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      {now === 'done' && findings.length > 0 && (
        <ul class="items spaced">
          {findings.map(({ check: name, what, problem, repaired }, index) => (
            <li key={index} class="item">
              <span class="item-main">
                {what}
                {t.colon}
                {problem}
                <span class="small soft">{name}</span>
              </span>
              <span class="soft">{repaired ? s.usage.repaired : ''}</span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
