import { actOnImport, type Import } from '../../actions/imports.ts'
import { state } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { locale } from '../../texts/texts.ts'
import { ActButton } from '../../ui/use-action.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { userName } from '../words.ts'
import { Counts } from './import-report.tsx'

const HOUR = 3_600

interface ImportProgressProps {
  readonly of: Import
  readonly onChange: () => Promise<void>
}

/** An import that is being read or written. */
export function ImportProgress({ of, onChange }: ImportProgressProps) {
  const { id, state: stage, is_paused, acting_user_id, report } = of
  const act = async (action: 'pause' | 'resume' | 'cancel') => {
    const refusal = await refusalOf(actOnImport(id, action))
    if (refusal === undefined) await onChange()
    return refusal
  }
  const [done, all] = progressOf(of)
  const isBegun = stage === 'reading' || stage === 'writing'
  return (
    <div class="import-progress">
      <p role="status">
        <b>{is_paused ? s.imports.paused : titleOf(of)}</b> · {of.name}
      </p>
      <progress max={all ?? 1} value={all === null ? undefined : (done ?? 0)} aria-label={titleOf(of)} />
      <p class="small soft">{detailsOf(of)}</p>
      {is_paused && !isOwner(acting_user_id) && <p>{s.imports.noOwner(userName(acting_user_id))}</p>}
      {isBegun && (
        <p class="import-buttons">
          {is_paused ? (
            <ActButton kind="main" onAct={() => act('resume')}>
              {s.imports.resume}
            </ActButton>
          ) : (
            <ActButton onAct={() => act('pause')}>{s.imports.pause}</ActButton>
          )}
          <ActButton
            kind="danger"
            question={{
              title: s.imports.cancelQuestion,
              text: stage === 'reading' ? s.imports.cancelWaiting : s.imports.cancelHint,
              no: s.imports.dontCancel,
            }}
            onAct={() => act('cancel')}
          >
            {s.imports.cancel}
          </ActButton>
        </p>
      )}
      <Counts title={s.imports.written} counts={report.written} />
    </div>
  )
}

function isOwner(userId: number): boolean {
  const user = state.users.get(userId)
  return user?.is_active === true && user.is_owner
}

function titleOf({ state, messages_written }: Import): string {
  switch (state) {
    case 'reading':
      return s.imports.reading
    case 'writing':
      return messages_written === null ? s.imports.writingThings : s.imports.writing
    case 'checking':
    case 'undoing':
      return s.imports.undoing
    default:
      return s.imports.ending
  }
}

function progressOf({ state, ...of }: Import): [done: number | null, all: number | null] {
  if (state === 'reading') return [of.parts_read, of.parts]
  return [of.messages_written, of.messages_total]
}

function detailsOf(of: Import): string {
  const number = new Intl.NumberFormat(locale())
  const [done, all] = progressOf(of)
  if (done === null || all === null) return ''
  const words = of.state === 'reading' ? s.imports.parts : s.imports.messages
  const left = of.seconds_left === null || of.is_paused ? '' : ` · ${leftIn(of.seconds_left)}`
  return words({ done: number.format(done), all: number.format(all) }) + left
}

function leftIn(seconds: number): string {
  if (seconds < 2 * HOUR) return s.imports.minutesLeft(Math.ceil(seconds / 60))
  return s.imports.hoursLeft(
    new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(seconds / HOUR),
  )
}
