import { type ReactNode, useContext, useState } from 'react'
import { useFieldResult } from './form.tsx'
import { MineContext, useMerged, Versioned } from './overtaken.tsx'

/** The value of a box until the user types in it, as its form shows it: what came back, or what is stored. */
export function useTyped(name: string, stored = '') {
  const { typed } = useFieldResult(name)
  return useState(useMerged(name, stored, typed).shown ?? stored)
}

/** Fields that are about what is stored only while something else is the same; otherwise they merge nothing. */
export function VersionedIf({ children, isSame }: { children: ReactNode; isSame: boolean }) {
  const mine = useContext(MineContext)
  return <Versioned value={isSame ? mine : undefined}>{children}</Versioned>
}
