import { ImageOff } from 'lucide-react'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
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
