import { changeFolder, createFolder, orderFolders } from '../../actions/channel-settings.ts'
import { state, watch } from '../../chat.ts'
import { foldersInOrder } from '../../state/channels.ts'
import { s } from '../../texts/settings.ts'
import { ActButton, ActForm } from '../../ui/acting.tsx'
import { OrderButtons } from '../../ui/order-buttons.tsx'
import { Part, TextRow } from '../../ui/setting-row.tsx'
import { refusalOf } from '../settings/fetched.tsx'

/** Folders of channels. */
export function FoldersSection() {
  watch('folder')
  const folders = foldersInOrder(state)
  const archived = [...state.folders.values()].filter(({ is_archived }) => is_archived)
  return (
    <>
      <Part hint={s.organization.folderHint}>
        {folders.length === 0 && <p class="setting-nothing">{s.organization.noFolders}</p>}
        {folders.map(({ id, name }) => (
          <div key={id} class="settings-field">
            <TextRow
              label={s.channels.folder}
              value={name}
              required
              maxLength={60}
              onSave={(wanted) => refusalOf(changeFolder(id, { name: wanted.trim() }))}
            />
            <span class="item-end">
              <OrderButtons
                // Archived folders also have a position among them.
                ids={[...folders, ...archived].map((folder) => folder.id)}
                id={id}
                name={name}
                onAct={(ids) => refusalOf(orderFolders(ids))}
              />
              <ActButton
                label={`${s.channels.archive}: ${name}`}
                onAct={() => refusalOf(changeFolder(id, { is_archived: true }))}
              >
                {s.channels.archive}
              </ActButton>
            </span>
          </div>
        ))}
        <ActForm
          line
          button={s.channels.createFolder}
          onAct={(form) => refusalOf(createFolder(String(form.get('folder')).trim()))}
        >
          <label class="labelled">
            <span>{s.channels.newFolder}</span>
            <input class="field" name="folder" required maxLength={60} autocomplete="off" />
          </label>
        </ActForm>
      </Part>
      {archived.length > 0 && (
        <Part title={s.channels.archived}>
          <ul class="items">
            {archived.map(({ id, name }) => (
              <li key={id} class="item">
                <span class="item-main">{name}</span>
                <ActButton
                  label={`${s.channels.unarchive}: ${name}`}
                  onAct={() => refusalOf(changeFolder(id, { is_archived: false }))}
                >
                  {s.channels.unarchive}
                </ActButton>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}
