import {
  askForExport,
  deleteExport,
  type Export,
  type ExportType,
  loadConsents,
  loadExports,
} from '../../actions/organization.ts'
import { prove } from '../../actions/prove.ts'
import { state, versionOf, watch } from '../../chat.ts'
import { hasFullContentAccess } from '../../state/organization-permissions.ts'
import { isOwner } from '../../state/own-permissions.ts'
import { s } from '../../texts/settings.ts'
import { listed, t } from '../../texts/texts.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ago, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { FetchedList, refusalOf, useFetched } from '../settings/fetched.tsx'
import { realName } from '../words.ts'
import { Backups } from './backups.tsx'

/** Archives of the organization's data. */
export function ExportsSection() {
  watch('me', 'organization')
  const types: readonly ExportType[] =
    isOwner(state) && hasFullContentAccess(state)
      ? ['public', 'full_with_consent', 'full_without_consent']
      : ['public', 'full_with_consent']
  const exports = useFetched(loadExports, [versionOf('exports')])
  return (
    <>
      <Part title={s.organization.newExport} hint={s.organization.exportHint}>
        <ActForm
          line
          button={s.organization.export}
          onAct={(form) => refusalOf(askForExport(form.get('type') as ExportType))}
          onDone={exports.reload}
        >
          <label class="labelled">
            <span>{s.organization.what}</span>
            <select class="field" name="type">
              {types.map((type) => (
                <option key={type} value={type}>
                  {s.organization.exportTypes[type]}
                </option>
              ))}
            </select>
          </label>
        </ActForm>
      </Part>
      <Part title={s.titles.exports}>
        <FetchedList of={exports} nothing={s.organization.noExports}>
          {(list) => (
            <ul class="items">
              {list.map((one) => (
                <ExportItem key={one.id} of={one} onChange={exports.reload} />
              ))}
            </ul>
          )}
        </FetchedList>
      </Part>
      <Consents />
      {isOwner(state) && <Backups />}
    </>
  )
}

/** Number of names shown of those who consent. */
const SHOWN_CONSENTS = 100

/** The people who let administrators export private data. */
function Consents() {
  const consents = useFetched(loadConsents)
  const given = (consents.value ?? []).filter(({ consented }) => consented)
  const names = given.map(({ user_id }) => realName(user_id)).sort((a, b) => a.localeCompare(b))
  return (
    <Part title={s.consents.title} hint={s.consents.hint}>
      <FetchedList of={consents} nothing={s.consents.nobody}>
        {(list) => (
          <>
            <p>{s.consents.count({ given: given.length, all: list.length })}</p>
            {names.length > 0 && (
              <p class="small soft">
                {listed(names.slice(0, SHOWN_CONSENTS))}
                {names.length > SHOWN_CONSENTS && '…'}
              </p>
            )}
          </>
        )}
      </FetchedList>
    </Part>
  )
}

function ExportItem({ of, onChange }: { readonly of: Export; readonly onChange: () => Promise<void> }) {
  const { id, acting_user_id, export_time, deleted_timestamp, failed_timestamp, export_url, pending } = of
  const isThere = !pending && failed_timestamp === null && deleted_timestamp === null
  // An address that the server has left out needs a proof, except where only owners get it.
  const mayDownload = of.export_type !== 'full_without_consent' || isOwner(state)
  return (
    <li class="item">
      <span class="item-main">
        <span {...tip(wholeTime(export_time))}>{ago(export_time)}</span>
        <span class="small soft">
          {realName(acting_user_id)} · {s.organization.exportTypes[of.export_type]}
        </span>
      </span>
      {pending && <span class="soft">{s.organization.beingMade}</span>}
      {failed_timestamp !== null && <span class="soft">{s.organization.failed}</span>}
      {deleted_timestamp !== null && <span class="soft">{s.organization.deleted}</span>}
      {isThere && (export_url !== null || mayDownload) && (
        <span class="item-end">
          {export_url === null ? (
            <ActButton
              onAct={() => refusalOf(prove().then((isProved) => (isProved ? onChange() : undefined)))}
            >
              {t.message.download}
            </ActButton>
          ) : (
            <a class="button" href={export_url} download>
              {t.message.download}
            </a>
          )}
          <ActButton
            kind="danger"
            question={{ title: s.organization.deleteExport, text: s.organization.deleteExportHint }}
            onAct={async () => {
              const refusal = await refusalOf(deleteExport(id))
              if (refusal === undefined) await onChange()
              return refusal
            }}
          >
            {t.message.delete}
          </ActButton>
        </span>
      )}
    </li>
  )
}
