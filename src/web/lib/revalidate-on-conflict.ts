import type { ShouldRevalidateFunction } from 'react-router'

/**
 * For screens whose forms can be overtaken by somebody else (409): what they show is read again, so that the next try
 * starts from what is true now. Left to itself the router reads again only after forms that were accepted.
 */
export const revalidateOnConflict: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  defaultShouldRevalidate || actionStatus === 409
