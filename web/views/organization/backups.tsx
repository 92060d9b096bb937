import { useState } from 'preact/hooks'
import { askForBackup, type Backup, loadBackups } from '../../actions/organization.ts'
import { s } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { sizeOf } from '../../ui/size.ts'
import { ago, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { ActButton } from '../../ui/use-action.tsx'
import { FetchedList, refusalOf, useFetched } from '../settings/fetched.tsx'
import { realName } from '../words.ts'
import { BackupDifferences } from './backup-differences.tsx'

/** The organization's backups, for owners, where the deployment makes any. */
export function Backups() {
  const backups = useFetched(loadBackups)
  const words = s.organization.backups
  const { value } = backups
  if (!value) return null
  return (
    <Part title={words.title} hint={words.hint}>
      <ActButton
        onAct={async () => {
          const refusal = await refusalOf(askForBackup())
          if (refusal === undefined) await backups.reload()
          return refusal
        }}
      >
        {words.make}
      </ActButton>
      <FetchedList of={{ ...backups, value }} nothing={words.none}>
        {(list) => (
          <ul class="items">
            {list.map((one) => (
              <BackupItem key={one.id} of={one} />
            ))}
          </ul>
        )}
      </FetchedList>
    </Part>
  )
}

function BackupItem({ of }: { readonly of: Backup }) {
  const { acting_user_id, began_at, finished_at, failed_at, contents, size, sent } = of
  const words = s.organization.backups
  const [isOpen, setOpen] = useState(false)
  if (isOpen)
    return (
      <li>
        <Part title={wholeTime(began_at)}>
          <BackupDifferences backupId={of.id} />
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
          </span>
        )}
      </span>
      {finished_at !== null && <Button onClick={() => setOpen(true)}>{words.differences}</Button>}
      {finished_at === null && (
        <span class="soft">{failed_at === null ? s.organization.beingMade : s.organization.failed}</span>
      )}
    </li>
  )
}
