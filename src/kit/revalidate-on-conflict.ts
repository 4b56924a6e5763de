import type { ShouldRevalidateFunction } from 'react-router'

/**
 * For screens whose forms another user can overtake (409): their data is read again, so that the next try starts
 * from the current state. By default the router revalidates only after forms that were accepted.
 */
export const revalidateOnConflict: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  defaultShouldRevalidate || actionStatus === 409
