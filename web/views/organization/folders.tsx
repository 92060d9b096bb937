import { changeFolder, orderFolders } from '../../actions/channel-settings.ts'
import { state, watch } from '../../chat.ts'
import { foldersInOrder } from '../../state/channels.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { OrderButtons } from '../../ui/order-buttons.tsx'
import { Part, TextRow } from '../../ui/setting-row.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { CreateFolderForm } from '../channels/create-folder-form.tsx'
import { refusalOf } from '../settings/fetched.tsx'

/** Folders of channels. */
export function FoldersSection() {
  watch('folder')
  const folders = foldersInOrder(state)
  const archived = [...state.folders.values()].filter(({ is_archived }) => is_archived)
  // Archived folders also have a position, after those that are shown.
  const order = (ids: readonly number[]) => orderFolders([...ids, ...archived.map(({ id }) => id)])
  return (
    <>
      <Part hint={s.organization.folderHint}>
        {folders.length === 0 && <p class="setting-nothing">{s.organization.noFolders}</p>}
        {folders.map(({ id, name, description }) => (
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
                ids={folders.map((folder) => folder.id)}
                id={id}
                name={name}
                onAct={(ids) => refusalOf(order(ids))}
              />
              <ActButton
                label={`${s.channels.archive}: ${name}`}
                onAct={() => refusalOf(changeFolder(id, { is_archived: true }))}
              >
                {s.channels.archive}
              </ActButton>
            </span>
            <TextRow
              label={t.channels.description}
              value={description}
              maxLength={state.server.max_stream_description_length}
              onSave={(wanted) => refusalOf(changeFolder(id, { description: wanted.trim() }))}
            />
          </div>
        ))}
        <CreateFolderForm />
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
