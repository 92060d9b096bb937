import { useEffect, useState } from 'preact/hooks'
import { type AuditEntry, loadAuditLog } from '../../actions/organization.ts'
import { s } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ago, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { FetchedList, refusalOf, useFetched } from '../settings/fetched.tsx'
import { userName } from '../words.ts'

/** The audit log: who did what to accounts, keys, rights and data; newest first. */
export function AuditLogSection() {
  const first = useFetched(async () => [await loadAuditLog()])
  const [older, setOlder] = useState<readonly AuditEntry[]>([])
  const [next, setNext] = useState<number | null>(null)
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => {
    setNext(first.value?.[0]?.next ?? null)
  }, [first.value])
  const more = async () => {
    if (next === null) return
    setRefusal(
      await refusalOf(
        loadAuditLog(next).then((page) => {
          setOlder([...older, ...page.entries])
          setNext(page.next)
        }),
      ),
    )
  }
  return (
    <Part hint={s.organization.auditHint}>
      <FetchedList of={first} nothing={s.organization.noAudit}>
        {([page]) => (
          <ul class="items">
            {[...(page?.entries ?? []), ...older].map((entry) => (
              <li key={entry.id} class="item">
                <span class="item-main">
                  {entry.action.replaceAll('_', ' ')}
                  <span class="small soft">{detailsOf(entry)}</span>
                </span>
                <span class="small soft" {...tip(wholeTime(entry.timestamp))}>
                  {actorOf(entry)} · {ago(entry.timestamp)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </FetchedList>
      {refusal && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      {next !== null && <Button onClick={more}>{s.organization.older}</Button>}
    </Part>
  )
}

function actorOf({ actor_id, details }: AuditEntry): string {
  if (actor_id !== null) return userName(actor_id)
  return details.scim === true ? s.organization.identityProvider : s.organization.server
}

function detailsOf({ details, address }: AuditEntry): string {
  const parts = Object.entries(details).map(([name, value]) =>
    name === 'user_id' && typeof value === 'number'
      ? userName(value)
      : `${name.replaceAll('_', ' ')}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  )
  return [...parts, ...(address ? [address] : [])].join(' · ')
}
