import { createFolder } from '../../actions/channel-settings.ts'
import { s } from '../../texts/settings.ts'
import { ActForm } from '../../ui/use-action.tsx'
import { refusalOf } from '../settings/fetched.tsx'

interface CreateFolderFormProps {
  readonly onMade?: (folderId: number) => Promise<unknown>
}

/** The form that creates a channel folder. */
export function CreateFolderForm({ onMade }: CreateFolderFormProps) {
  return (
    <ActForm
      line
      button={s.create}
      onAct={(form) => refusalOf(createFolder(String(form.get('folder')).trim()).then(onMade))}
    >
      <label class="labelled">
        <span>{s.channels.newFolder}</span>
        <input class="field" name="folder" required maxLength={60} autocomplete="off" />
      </label>
    </ActForm>
  )
}
