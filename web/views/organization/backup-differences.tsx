import { useState } from 'preact/hooks'
import {
  type ComparedThing,
  type Comparison,
  compareBackup,
  copyBackup,
  type Difference,
  type DifferenceKind,
  giveBack,
  loadDifferences,
  loadGivenBack,
} from '../../actions/organization.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ago, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { FetchedList, FetchFailed, refusalOf, useFetched, useReloadWhile } from '../settings/fetched.tsx'
import { channelName, realName, topicName } from '../words.ts'

const THINGS: readonly ComparedThing[] = ['messages', 'channels', 'people']
const KINDS: readonly DifferenceKind[] = ['only_in_backup', 'changed', 'only_today']

interface BackupDifferencesProps {
  readonly backupId: number
  readonly onClose: () => void
}

/** What differs between a backup and today, for owners, and what of it is given back. */
export function BackupDifferences({ backupId, onClose }: BackupDifferencesProps) {
  const words = s.organization.backups
  const [shown, setShown] = useState<readonly [ComparedThing, DifferenceKind]>(['messages', 'only_in_backup'])
  const comparison = useFetched(() => loadDifferences(backupId, ...shown), [backupId, ...shown])
  const given = useFetched(() => loadGivenBack(backupId), [backupId])
  const { value } = comparison
  const isRunning = value?.began_at != null && value.finished_at === null && value.failed_at === null
  const isGiving = given.value?.some(({ finished_at, failed_at }) => (finished_at ?? failed_at) === null)
  const reload = async () => {
    await Promise.all([comparison.reload(), given.reload()])
  }
  useReloadWhile(isRunning || isGiving === true, reload)
  if (comparison.refusal !== undefined) return <FetchFailed of={comparison} />
  if (!value) return null
  return (
    <>
      <p class="soft">{words.differencesHint}</p>
      <p class="act-line">
        {isRunning ? (
          <span class="soft">{words.comparing}</span>
        ) : (
          <ActButton onAct={() => refusalOf(compareBackup(backupId).then(reload))}>{words.compare}</ActButton>
        )}
        <CopyButton backupId={backupId} />
        <Button onClick={onClose}>{t.close}</Button>
      </p>
      {value.failed_at !== null && <p class="soft">{s.organization.failed}</p>}
      {value.finished_at !== null && (
        <>
          <KindSelect counts={value.counts} shown={shown} onChange={setShown} />
          <FetchedList of={{ ...comparison, value: value.differences }} nothing={words.nothing}>
            {(list) => (
              <ul class="items">
                {list.map((one) => (
                  <DifferenceItem
                    key={one.id}
                    of={one}
                    onGiveBack={
                      shown[1] === 'only_in_backup' && shown[0] === 'messages' ? giveBackPart : undefined
                    }
                  />
                ))}
              </ul>
            )}
          </FetchedList>
          {value.has_more && <p class="small soft">{words.more}</p>}
        </>
      )}
      {(given.value ?? []).map(({ id, began_at, finished_at, failed_at, counts }) => (
        <p key={id} class="small soft">
          {ago(began_at)} ·{' '}
          {failed_at !== null
            ? s.organization.failed
            : finished_at === null
              ? words.givingBack
              : words.givenBack({ messages: counts.messages, hidden: counts.hidden })}
        </p>
      ))}
    </>
  )

  function giveBackPart(part: Parameters<typeof giveBack>[1]): Promise<string | undefined> {
    return refusalOf(giveBack(backupId, part).then(reload))
  }
}

/** Makes a copy to look at. Once there is one, a link leads into it. */
function CopyButton({ backupId }: { readonly backupId: number }) {
  const words = s.organization.backups
  const [link, setLink] = useState('')
  if (link !== '')
    return (
      <a class="button" href={link} target="_blank" rel="noreferrer">
        {words.openCopy}
      </a>
    )
  return (
    <ActButton
      kind="plain"
      question={{ title: words.copyQuestion, text: words.copyHint }}
      onAct={() => refusalOf(copyBackup(backupId).then(setLink))}
    >
      {words.copy}
    </ActButton>
  )
}

interface KindSelectProps {
  readonly counts: Comparison['counts']
  readonly shown: readonly [ComparedThing, DifferenceKind]
  readonly onChange: (shown: readonly [ComparedThing, DifferenceKind]) => void
}

function KindSelect({ counts, shown, onChange }: KindSelectProps) {
  const words = s.organization.backups
  return (
    <label class="labelled">
      <span>{words.what}</span>
      <select
        class="field"
        value={shown.join()}
        onChange={({ currentTarget }) => {
          const [of, kind] = currentTarget.value.split(',') as [ComparedThing, DifferenceKind]
          onChange([of, kind])
        }}
      >
        {THINGS.flatMap((of) =>
          KINDS.map((kind) => (
            <option key={`${of},${kind}`} value={`${of},${kind}`}>
              {words.things[of]} · {words.kinds[kind]} ({counts[of][kind]})
            </option>
          )),
        )}
      </select>
    </label>
  )
}

interface DifferenceItemProps {
  readonly of: Difference
  readonly onGiveBack:
    | ((part: { stream_id?: number; topic?: string; user_id?: number }) => Promise<string | undefined>)
    | undefined
}

function DifferenceItem({ of, onGiveBack }: DifferenceItemProps) {
  const { name, stream_id, topic, sender_id, timestamp } = of
  const words = s.organization.backups
  if (sender_id === undefined || timestamp === undefined)
    return (
      <li class="item">
        <bdi class="item-main">{name}</bdi>
      </li>
    )
  const isChannel = typeof stream_id === 'number'
  const topicOf = topic ?? ''
  return (
    <li class="item">
      <span class="item-main">
        <bdi>{isChannel ? `#${channelName(stream_id)} > ${topicName(topicOf)}` : words.direct}</bdi>
        <span class="small soft" {...tip(wholeTime(timestamp))}>
          {realName(sender_id)} · {ago(timestamp)}
        </span>
      </span>
      {onGiveBack && (
        <ActForm
          line
          button={words.giveBack}
          questionFor={() => ({ title: words.giveBackQuestion, text: words.giveBackHint })}
          onAct={(form) => {
            if (form.get('part') === 'person' || !isChannel) return onGiveBack({ user_id: sender_id })
            return onGiveBack(form.get('part') === 'topic' ? { stream_id, topic: topicOf } : { stream_id })
          }}
        >
          <select class="field" name="part" aria-label={words.part}>
            {isChannel && <option value="topic">{words.parts.topic}</option>}
            {isChannel && <option value="channel">{words.parts.channel}</option>}
            <option value="person">{words.parts.person(realName(sender_id))}</option>
          </select>
        </ActForm>
      )}
    </li>
  )
}
