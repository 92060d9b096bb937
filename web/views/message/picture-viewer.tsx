import { t } from '../../texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'

interface PictureViewerProps {
  readonly url: string
  readonly name: string
  readonly onClose: () => void
}

/** The uploaded picture, as large as the window allows. */
export function PictureViewer({ url, name, onClose }: PictureViewerProps) {
  return (
    <Dialog title={name || t.message.picture} wide onClose={onClose}>
      <img class="picture" src={url} alt={name} />
      <p class="dialog-buttons">
        <a class="button" href={`${url}?download=1`} download={name}>
          {t.message.download}
        </a>
        <a class="button" href={url} target="_blank" rel="noopener noreferrer">
          {t.message.openApart}
        </a>
      </p>
    </Dialog>
  )
}
