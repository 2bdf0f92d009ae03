// Evaluates the decisions of a game one after the other and finds the mistakes among them.

/** An action is a mistake if it is worth at least this much less than the best one, on the scale -1 to 1. */
export const MISTAKE = 0.25;

/** What an analysis says about a decision: payoffs of all seats, and how much the action played lost. */
export function judge(step, mover, played, seats, analysis) {
  const of = (text) => analysis.actions.find(({ action }) => action === text);
  const best = of(analysis.action);
  // Nothing is searched where there is one action only: its value says nothing.
  const hasChoice = analysis.actions.length > 1;
  const loss = best && of(played) ? best.value - of(played).value : 0;
  return {
    step,
    mover,
    played,
    best: analysis.action,
    loss,
    mistake: played !== analysis.action && loss >= MISTAKE,
    payoffs: analysis.payoffs ?? payoffsFor(mover, hasChoice ? analysis.value : null, seats),
  };
}

/** Where an agent tells its value only: the other one of two has the opposite, others are unknown. */
function payoffsFor(mover, value, seats) {
  const others = seats === 2 && value !== null ? -value : null;
  return Array.from({ length: seats }, (_, seat) => (seat === mover ? value : others));
}

export class Evaluation {
  /** `review` has movers, record, names and analyse(step); `show(points)` is called after each step. */
  constructor(review, show) {
    Object.assign(this, { review, show, points: [], running: false, problem: null });
  }

  toggle() {
    if (this.running) this.stop();
    else this.run();
  }

  stop() {
    this.running = false;
    this.show(this.points);
  }

  /** From where it was stopped, or anew if it was done. */
  async run() {
    const { movers, record, names } = this.review;
    const decisions = movers.flatMap((mover, step) => (mover === null ? [] : [step]));
    if (this.points.length >= decisions.length) this.points = [];
    Object.assign(this, { running: true, problem: null });
    this.show(this.points);
    try {
      for (const step of decisions.slice(this.points.length)) {
        const analysis = await this.review.analyse(step);
        if (!this.running) return;
        this.points = [...this.points, judge(step, movers[step], record.actions[step], names.length, analysis)];
        this.show(this.points);
      }
    } catch (error) {
      this.problem = error.message;
    }
    this.stop();
  }
}
