import type { Key, ReactNode } from 'react'

export type TimelineItem = { key: Key; title: ReactNode; note: ReactNode; children?: ReactNode }

/** What happened, newest first: a line each, with when and who under it. */
export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol className="grid gap-4">
      {items.map(({ key, title, note, children }) => (
        <li key={key} className="grid gap-0.5 border-l-2 border-line pl-3 text-[0.9375rem]">
          <p className="font-medium">{title}</p>
          {children}
          <p className="text-sm text-mute">{note}</p>
        </li>
      ))}
    </ol>
  )
}
