import { type ReactNode, useState } from 'react'
import { isStaff, isTechnician } from '../../../access/rules/actor.ts'
import { FlashAlert } from '../../../kit/frame/flash-alert.tsx'
import { Footer } from '../../../kit/frame/footer.tsx'
import { SkipLink } from '../../../kit/frame/skip-link.tsx'
import { later } from '../../../kit/later.tsx'
import { mainId } from '../../../kit/navigation-focus.ts'
import { SearchLater } from './search-box.tsx'
import { type Person, Sidebar } from './sidebar.tsx'
import { hasBottomBar, TopBar } from './top-bar.tsx'

// For technicians alone; it is in the page that the server sends.
const BottomBar = later(() => import('./bottom-bar.tsx').then((part) => part.BottomBar))

type InternalFrameProps = {
  person: Person
  /** A hash of the user. */
  owner: string
  /** Whether this device folds the sidebar. */
  folded: boolean
  /** Above every screen, at the width of the frame. */
  strip?: ReactNode
  children: ReactNode
}

/**
 * Sidebar or top bar, the screen, footer; a call is alone, so that nothing around it takes the focus. A screen with
 * `data-wide` takes the width of a wide window.
 */
export function InternalFrame({ person, owner, folded, strip, children }: InternalFrameProps) {
  const [own, fold] = useState<boolean | null>(null)
  const isFolded = own ?? folded
  return (
    <div
      data-folded={isFolded || undefined}
      data-field={isTechnician(person) || undefined}
      className="group/frame flex min-h-dvh flex-col lg:pl-80 has-data-call:lg:pl-0"
    >
      <div className="contents group-has-data-call/frame:hidden">
        <SkipLink />
        <Sidebar person={person} folded={isFolded} fold={fold} />
        <TopBar person={person} />
      </div>
      {isStaff(person) && <SearchLater owner={owner} />}
      {strip}
      <main
        id={mainId}
        tabIndex={-1}
        className="mx-auto grid w-full max-w-6xl flex-1 grid-cols-1 content-start gap-5 p-4 has-data-wide:max-w-[120rem] lg:px-8 lg:py-7"
      >
        <FlashAlert />
        {children}
      </main>
      <div className="mx-auto w-full max-w-6xl px-4 pt-6 pb-6 group-has-data-wide/frame:max-w-[120rem] group-has-data-[call=room]/frame:hidden lg:px-8">
        <Footer />
      </div>
      {hasBottomBar(person) && <BottomBar person={person} />}
    </div>
  )
}
