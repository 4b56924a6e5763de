import { ImageOff } from 'lucide-react'
import {
  type ComponentProps,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { classNames } from '../ui/class-names.ts'

type PhotoImageProps = ComponentProps<'img'> & { alt: string }

/** A picture; where the browser can't show it, as with some phones' own formats, an icon says so. */
export function PhotoImage({ className, ...image }: PhotoImageProps) {
  const box = useRef<HTMLImageElement>(null)
  const [broken, setBroken] = useState<string>()
  const { src } = image
  useEffect(() => {
    // It may have failed before hydration.
    if (src && box.current?.complete && box.current.naturalWidth === 0) setBroken(src)
  }, [src])
  if (src && broken === src)
    return (
      <span className={classNames('grid place-items-center bg-hover text-mute', className)}>
        <span className="grid justify-items-center gap-1 p-2 text-center text-sm">
          <ImageOff aria-hidden className="size-5" />
          Sin vista previa
        </span>
      </span>
    )
  return (
    // biome-ignore lint/a11y/useAltText: alt is among what is passed on
    <img {...image} ref={box} decoding="async" onError={() => setBroken(src)} className={className} />
  )
}

/** A picture that can be shown whole. */
export type ViewedPhoto = { id: string; label: string; fullUrl: string; note?: ReactNode }
/** The pictures of a window, and the one that it opens with. */
export type PhotoWindowProps = {
  photos: readonly ViewedPhoto[]
  first: string
  /** The element that opened it, focused again once it is closed. */
  opener: HTMLElement
  onClose: () => void
}

// Most readers of a sheet open none of its pictures.
const PhotoWindow = lazy(
  (): Promise<{ default: ComponentType<PhotoWindowProps> }> =>
    import('./photo-window.tsx').then(
      (window) => ({ default: window.PhotoWindow }),
      () => ({ default: PageInstead }),
    ),
)

/** Pictures whole, in front of their page. */
export const PhotoViewer = (props: PhotoWindowProps) => (
  <Suspense>
    <PhotoWindow {...props} />
  </Suspense>
)

/** Where there is no network to load the window, the browser shows the picture as it does without JavaScript. */
function PageInstead({ photos, first }: PhotoWindowProps) {
  const photo = photos.find(({ id }) => id === first)
  useEffect(() => {
    if (photo) location.assign(photo.fullUrl)
  }, [photo])
  return null
}
