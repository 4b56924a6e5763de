import type { ReactNode } from 'react'
import { mainId } from '../navigation-focus.ts'
import { FlashAlert } from './flash-alert.tsx'
import { Footer } from './footer.tsx'
import { Sidebar } from './sidebar.tsx'
import { SkipLink } from './skip-link.tsx'
import { TopBar } from './top-bar.tsx'
import type { Person } from './user-block.tsx'

/** Sidebar or top bar, the screen, footer. */
export function InternalFrame({ person, children }: { person: Person; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col lg:pl-80">
      <SkipLink />
      <Sidebar person={person} />
      <TopBar person={person} />
      <main
        id={mainId}
        tabIndex={-1}
        className="mx-auto grid w-full max-w-6xl flex-1 grid-cols-1 content-start gap-5 p-4 lg:px-8 lg:py-7"
      >
        <FlashAlert />
        {children}
      </main>
      <div className="mx-auto w-full max-w-6xl px-4 pt-6 pb-6 lg:px-8">
        <Footer />
      </div>
    </div>
  )
}
