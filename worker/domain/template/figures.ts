/** How an item of a template went in the goals made of it. */
export interface ItemFigures {
  item: string;
  /** Goals in which it was begun. */
  goals: number;
  attempts: number;
  /** Deliveries that came back: changes requested, rejected, or an acceptance that fell. */
  returns: number;
  /** Milliseconds that its Attempts ran, in sum over the goals; those that run now are not in it. */
  ms: number;
  tokens: number;
  /** Money in millionths, by currency. */
  money: Record<string, number>;
}
