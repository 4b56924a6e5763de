/** How many stretches of work a form takes for one weekday. */
export const mostStretches = 4
/** Hours are given in halves: a step in minutes. */
export const shiftStep = 30
