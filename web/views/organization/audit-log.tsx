import { useEffect, useState } from 'preact/hooks'
import { type AuditEntry, loadAuditLog } from '../../actions/organization.ts'
import { s } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { dateAndTime, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { FetchedList, refusalOf, useFetched } from '../settings/fetched.tsx'
import { PickPerson, Picks } from '../settings/people-row.tsx'
import { actionName, actorName, detailWords } from './audit-words.ts'

/** The audit log: who did what to accounts, keys, rights and data; newest first. */
export function AuditLogSection() {
  const [action, setAction] = useState('')
  const [actorId, setActorId] = useState<number>()
  const wanted = { action: action || undefined, actor_id: actorId }
  const first = useFetched(async () => [await loadAuditLog(wanted)], [action, actorId])
  const [older, setOlder] = useState<readonly AuditEntry[]>([])
  const [next, setNext] = useState<number | null>(null)
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => {
    setOlder([])
    setNext(first.value?.[0]?.next ?? null)
  }, [first.value])
  const more = async () => {
    if (next === null) return
    setRefusal(
      await refusalOf(
        loadAuditLog(wanted, next).then((page) => {
          setOlder([...older, ...page.entries])
          setNext(page.next)
        }),
      ),
    )
  }
  return (
    <Part hint={s.organization.auditHint}>
      <div class="audit-filter">
        <label class="labelled">
          <span>{s.audit.show}</span>
          <select class="field" value={action} onChange={(event) => setAction(event.currentTarget.value)}>
            <option value="">{s.audit.everything}</option>
            {Object.entries(s.audit.actions).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {actorId === undefined ? (
          <PickPerson
            label={s.audit.by}
            button={s.choose}
            hasClosed
            isLeftOut={() => false}
            onPick={setActorId}
          />
        ) : (
          <div class="labelled">
            <span>{s.audit.by}</span>
            <Picks ids={[actorId]} onRemove={() => setActorId(undefined)} />
          </div>
        )}
      </div>
      <FetchedList of={first} nothing={s.organization.noAudit}>
        {([page]) => (
          <ul class="items">
            {[...(page?.entries ?? []), ...older].map((entry) => (
              <li key={entry.id} class="item">
                <span class="item-main">
                  {actionName(entry.action)}
                  <span class="small soft">
                    {detailWords(entry).map((words, index) => [index > 0 && ' · ', <bdi>{words}</bdi>])}
                  </span>
                </span>
                {/* Days and hours are what such a log is read for. */}
                <span class="small soft" {...tip(wholeTime(entry.timestamp))}>
                  <bdi>{actorName(entry)}</bdi> · <bdi>{dateAndTime(entry.timestamp)}</bdi>
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
