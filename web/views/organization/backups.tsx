import { useState } from 'preact/hooks'
import {
  askForBackup,
  type Backup,
  loadBackups,
  type Restore,
  restoreBackup,
} from '../../actions/organization.ts'
import { s } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { sizeOf } from '../../ui/size.ts'
import { ago, dayName, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { ActButton } from '../../ui/use-action.tsx'
import { FetchedList, refusalOf, useFetched, useReloadWhile } from '../settings/fetched.tsx'
import { realName } from '../words.ts'
import { BackupDifferences } from './backup-differences.tsx'

/** The organization's backups, for owners, where the deployment makes any. */
export function Backups() {
  const backups = useFetched(loadBackups)
  const words = s.organization.backups
  const { value } = backups
  const isMade = value?.backups.some(({ finished_at, failed_at }) => (finished_at ?? failed_at) === null)
  useReloadWhile(isMade === true || value?.restore?.stage != null, backups.reload)
  if (!value) return null
  return (
    <Part title={words.title} hint={words.hint}>
      <p class="act-line">
        <ActButton
          onAct={async () => {
            const refusal = await refusalOf(askForBackup())
            if (refusal === undefined) await backups.reload()
            return refusal
          }}
        >
          {words.make}
        </ActButton>
      </p>
      <FetchedList of={{ ...backups, value: value.backups }} nothing={words.none}>
        {(list) => (
          <ul class="items">
            {list.map((one) => (
              <BackupItem
                key={one.id}
                of={one}
                restore={value.restore?.backup_id === one.id ? value.restore : null}
                onChange={backups.reload}
              />
            ))}
          </ul>
        )}
      </FetchedList>
    </Part>
  )
}

interface BackupItemProps {
  readonly of: Backup
  /** The last restore, if it was one of this backup. */
  readonly restore: Restore | null
  readonly onChange: () => Promise<void>
}

function BackupItem({ of, restore, onChange }: BackupItemProps) {
  const { id, acting_user_id, began_at, finished_at, failed_at, kept_until, contents, size, sent } = of
  const words = s.organization.backups
  const [isOpen, setOpen] = useState(false)
  if (isOpen)
    return (
      <li>
        <Part title={wholeTime(began_at)}>
          <BackupDifferences backupId={of.id} onClose={() => setOpen(false)} />
        </Part>
      </li>
    )
  return (
    <li class="item">
      <span class="item-main">
        <span {...tip(wholeTime(began_at))}>
          {ago(began_at)} · {acting_user_id === null ? words.night : realName(acting_user_id)}
        </span>
        {finished_at !== null && contents && (
          <span class="small soft">
            {words.contents({ ...contents })} · {words.size({ size: sizeOf(size), sent: sizeOf(sent) })}
            {kept_until !== null && kept_until > Date.now() / 1_000 && (
              <> · {words.keptUntil(dayName(kept_until))}</>
            )}
          </span>
        )}
        {restore && <span class="small soft">{stateOf(restore)}</span>}
      </span>
      {finished_at !== null && (
        <span class="item-end">
          <Button onClick={() => setOpen(true)}>{words.differences}</Button>
          {restore?.stage == null && (
            <ActButton
              kind="danger"
              label={words.restoreOf(wholeTime(began_at))}
              question={{ title: words.restoreQuestion, text: words.restoreHint }}
              onAct={async () => {
                const refusal = await refusalOf(restoreBackup(id))
                if (refusal === undefined) await onChange()
                return refusal
              }}
            >
              {words.restore}
            </ActButton>
          )}
        </span>
      )}
      {finished_at === null && (
        <span class="soft">{failed_at === null ? s.organization.beingMade : s.organization.failed}</span>
      )}
    </li>
  )
}

function stateOf({ outcome }: Restore): string {
  const words = s.organization.backups
  if (outcome === null) return words.restoring
  const { restored, returned, damaged, notRestored: failed } = words
  return { restored, returned, damaged, failed }[outcome]
}
