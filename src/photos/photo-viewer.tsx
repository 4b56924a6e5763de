import { Suspense, useEffect } from 'react'
import { lazyOr } from '../kit/later.tsx'
import type { PhotoWindowProps } from './photo-window.tsx'

// Most readers of a sheet open none of its pictures.
const PhotoWindow = lazyOr(() => import('./photo-window.tsx').then((part) => part.PhotoWindow), PageInstead)

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
