import 'photoswipe/style.css'
import './picture-viewer.css'
import PhotoSwipe, { type SlideData } from 'photoswipe'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { r } from '../../texts/reading.ts'
import { t } from '../../texts/texts.ts'
import { PICTURE_LINKS } from './media.ts'

export { loadReadingTexts } from '../../texts/reading.ts'

interface PictureViewerProps {
  /** The link around the picture that was clicked. */
  readonly opener: HTMLAnchorElement
  readonly onClose: () => void
}

/** Pictures of the shown messages, one at a time: zoom, the one before and after, download. */
export function PictureViewer({ opener, onClose }: PictureViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const viewer = useRef<PhotoSwipe>(undefined)
  // It gives the focus back only while it is in the document.
  useLayoutEffect(() => {
    const element = dialog.current!
    // Above everything, and with the keys to itself.
    element.showModal()
    const links = linksAround(opener)
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    const shown = new PhotoSwipe({
      dataSource: links.map(slideOf),
      index: links.indexOf(opener),
      appendToEl: element,
      bgOpacity: 0.9,
      loop: false,
      // Buttons and the name stand beside the picture, not on it.
      padding: { top: 60, bottom: 44, left: 0, right: 0 },
      trapFocus: false,
      returnFocus: false,
      showHideAnimationType: isStill ? 'none' : 'zoom',
      // Small pictures can be enlarged too.
      secondaryZoomLevel: ({ initial }) => Math.max(1, initial * 2.5),
      maxZoomLevel: ({ initial }) => Math.max(4, initial * 6),
      zoomAnimationDuration: isStill ? 0 : 200,
      closeTitle: t.close,
      zoomTitle: r.viewer.zoom,
      arrowPrevTitle: r.viewer.previous,
      arrowNextTitle: r.viewer.next,
      errorMsg: r.viewer.failed,
    })
    shown.on('gettingData', ({ data, index }) => measure(shown, data, index))
    shown.on('uiRegister', () => addLinks(shown))
    let isThere = true
    shown.on('destroy', () => isThere && onClose())
    viewer.current = shown
    shown.init()
    return () => {
      isThere = false
      shown.destroy()
      element.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class="viewer"
      aria-label={t.message.picture}
      onCancel={(event) => {
        event.preventDefault()
        viewer.current?.close()
      }}
    />
  )
}

/** Returns the links of all pictures in the list of the one that was clicked. */
function linksAround(opener: HTMLAnchorElement): HTMLAnchorElement[] {
  const list = opener.closest('.messages') ?? document
  const links = [...list.querySelectorAll<HTMLAnchorElement>(PICTURE_LINKS)].filter(isOwnPicture)
  return links.includes(opener) ? links : [opener]
}

function isOwnPicture(link: HTMLAnchorElement): boolean {
  return (
    URL.canParse(link.href) &&
    new URL(link.href).origin === location.origin &&
    link.querySelector('img') !== null
  )
}

function slideOf(link: HTMLAnchorElement): SlideData {
  const image = link.querySelector('img')!
  const [width = 0, height = 0] = (image.dataset.originalDimensions ?? '').split('x').map(Number)
  return {
    src: new URL(link.href).pathname,
    msrc: image.src,
    width,
    height,
    alt: link.title || image.alt,
    element: link,
  }
}

/** Finds the size of a picture that the server has not measured. */
function measure(viewer: PhotoSwipe, data: SlideData, index: number): void {
  if (data.width || data.isMeasured) return
  data.isMeasured = true
  const image = new Image()
  image.addEventListener('load', () => {
    data.width = image.naturalWidth
    data.height = image.naturalHeight
    viewer.refreshSlideContent(index)
  })
  image.src = data.src ?? ''
}

const DOWNLOAD = '<path d="M12 15V3m9 12v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4m4-5 5 5 5-5"/>'
const APART = '<path d="M15 3h6v6M10 14 21 3m-3 10v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6"/>'

function addLinks(viewer: PhotoSwipe): void {
  const add = (
    name: string,
    title: string,
    order: number,
    paths: string,
    address: (src: string) => string,
  ) => {
    viewer.ui?.registerElement({
      name,
      order,
      title,
      ariaLabel: title,
      isButton: true,
      tagName: 'a',
      html: `<svg class="viewer-icon" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`,
      onInit: (element) => {
        const link = element as HTMLAnchorElement
        link.rel = 'noopener noreferrer'
        link.target = '_blank'
        viewer.on('change', () => {
          link.href = address(viewer.currSlide?.data.src ?? '')
        })
      },
    })
  }
  add('download', t.message.download, 8, DOWNLOAD, (src) => `${src}?download=1`)
  add('apart', t.message.openApart, 9, APART, (src) => src)
  viewer.ui?.registerElement({
    name: 'caption',
    order: 9,
    isButton: false,
    appendTo: 'root',
    onInit: (element) => {
      viewer.on('change', () => {
        element.textContent = viewer.currSlide?.data.alt ?? ''
      })
    },
  })
}
