import './imports.css'
import { useEffect, useState } from 'preact/hooks'
import {
  actOnImport,
  type Import,
  type Imports,
  importUnderWay,
  inviteImportedUsers,
  loadImports,
} from '../../actions/imports.ts'
import { state, watch } from '../../chat.ts'
import { isInGroup } from '../../state/own-permissions.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { wordFor } from '../../texts/word-for.ts'
import { Loading } from '../../ui/empty.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { sizeOf } from '../../ui/size.ts'
import { ago, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { ActButton } from '../../ui/use-action.tsx'
import { announce } from '../announcement.tsx'
import { FetchFailed, refusalOf, useFetched } from '../settings/fetched.tsx'
import { userName } from '../words.ts'
import { ArchivePart } from './import-archive.tsx'
import { ImportProgress } from './import-progress.tsx'
import { Counts, MissingEmoji, Problems } from './import-report.tsx'
import { WaitingImport } from './waiting-import.tsx'

/** Milliseconds between two polls of a running import. */
const LOOK_MS = 1_500

/** Imports of a team's data: the archive, its report, and the result. */
export function ImportsSection() {
  const fetched = useFetched(loadImports)
  const { value, refusal } = fetched
  const underWay = value && importUnderWay(value)
  const isAtWork = underWay !== undefined && underWay.state !== 'waiting' && !underWay.is_paused
  useEffect(() => {
    if (!isAtWork) return
    const timer = setInterval(fetched.reload, LOOK_MS)
    return () => clearInterval(timer)
  }, [isAtWork])
  if (value === undefined) {
    return refusal === undefined ? <Loading label={t.loading} /> : <FetchFailed of={fetched} />
  }
  return (
    <>
      <Part hint={s.imports.hint}>
        <UnderWay of={value} onChange={fetched.reload} />
      </Part>
      <Invitations />
      <History imports={value.imports.filter((one) => one !== underWay)} onChange={fetched.reload} />
    </>
  )
}

function UnderWay({ of, onChange }: { readonly of: Imports; readonly onChange: () => Promise<void> }) {
  const underWay = importUnderWay(of)
  if (!underWay) return <ArchivePart archive={of.upload} onChange={onChange} />
  const { mapping } = underWay
  if (mapping) {
    const earlier = of.imports.find(({ id }) => id === underWay.earlier_import_id)
    return <WaitingImport of={{ ...underWay, mapping }} earlier={earlier} onChange={onChange} />
  }
  return <ImportProgress of={underWay} onChange={onChange} />
}

/** The address of somebody whose own is unknown, to which no mail can be sent. */
const NO_ADDRESS = /@no-mail\./

/** Offers to write to everybody who was imported and has not logged in, or to a pilot group of them first. */
function Invitations() {
  watch('user', 'group', 'organization')
  const [groupId, setGroupId] = useState<number>()
  const waiting = [...state.users.values()].filter(
    ({ is_imported_stub, is_active, delivery_email }) =>
      is_imported_stub && is_active && !NO_ADDRESS.test(delivery_email ?? ''),
  )
  if (waiting.length === 0) return null
  const groups = [...state.groups.values()]
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .sort((a, b) => a.name.localeCompare(b.name))
  const group = groups.find(({ id }) => id === groupId)
  const invited = group ? waiting.filter(({ user_id }) => isInGroup(state, user_id, group.id)) : waiting
  const hint =
    state.organization.email_auth_enabled === false ? s.imports.inviteHintOfProvider : s.imports.inviteHint
  const title = group ? s.imports.inviteGroupQuestion(group.name) : s.imports.inviteQuestion
  return (
    <Part title={s.imports.invite} hint={hint}>
      {groups.length > 0 && (
        <label class="labelled">
          <span>{s.imports.inviteWhom}</span>
          <select
            class="field"
            value={group?.id ?? ''}
            onChange={({ currentTarget: { value } }) => setGroupId(value === '' ? undefined : Number(value))}
          >
            <option value="">{s.imports.inviteAll}</option>
            {groups.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <span class="setting-hint">{s.imports.inviteWhomHint}</span>
        </label>
      )}
      <p>{s.imports.inviteCount(invited.length)}</p>
      <p class="import-buttons">
        <ActButton
          kind="main"
          disabled={invited.length === 0}
          question={{ title, text: hint }}
          onAct={() => refusalOf(inviteImportedUsers(group?.id).then(() => announce(s.imports.invited)))}
        >
          {group ? s.imports.inviteGroupButton : s.imports.inviteButton}
        </ActButton>
      </p>
    </Part>
  )
}

interface HistoryProps {
  readonly imports: readonly Import[]
  readonly onChange: () => Promise<void>
}

function History({ imports, onChange }: HistoryProps) {
  return (
    <Part title={s.imports.history}>
      {imports.length === 0 ? (
        <p class="setting-nothing">{s.imports.noHistory}</p>
      ) : (
        <ul class="items">
          {imports.map((one) => (
            <EndedImport key={one.id} of={one} onChange={onChange} />
          ))}
        </ul>
      )}
    </Part>
  )
}

function EndedImport({ of, onChange }: { readonly of: Import; readonly onChange: () => Promise<void> }) {
  const { id, name, size, acting_user_id, failure, undo_refusal, report } = of
  return (
    <li class="item import-ended">
      <span class="item-main">
        <span>
          <b>{name}</b> · {wordFor(s.imports.outcomes, of.state) ?? of.state}
        </span>
        <span class="small soft">
          <span {...tip(wholeTime(of.started_at))}>{ago(of.started_at)}</span>{' '}
          {s.imports.by(userName(acting_user_id))} · {sizeOf(size)}
        </span>
        {failure !== null && <span class="refusal">{failure}</span>}
        {undo_refusal && <span class="refusal">{undo_refusal}</span>}
        <Counts title={s.imports.written} counts={report.written} isFolded />
        <MissingEmoji of={of} />
        <Problems of={of} />
      </span>
      {of.state !== 'undone' && report.written.length > 0 && (
        <span class="item-end">
          <ActButton
            kind="danger"
            question={{ title: s.imports.undoQuestion, text: s.imports.undoHint }}
            onAct={async () => {
              const refusal = await refusalOf(actOnImport(id, 'undo'))
              if (refusal === undefined) await onChange()
              return refusal
            }}
          >
            {s.imports.undo}
          </ActButton>
        </span>
      )}
    </li>
  )
}
