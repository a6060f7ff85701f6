// SPDX-License-Identifier: MIT
// Stage 4 of a sample: five clips. Reads the shape and the rig, writes keys. Each clip is a
// function from time to a few controls (rotations of joints about the model's axes, positions of
// the ankles); joint rotations are solved from these at 32 keys per second. The ankles are given
// and the legs solved, so that feet on the ground stay there. Times are multiples of 1/32 s, which
// JSON can write exactly.
#include "tools/sample/build.h"

#include <string.h>

const char* const tlw_sample_clip_names[CLIP_COUNT] = {
#define CLIP_NAME(name) #name,
    TLW_SAMPLE_CLIPS(CLIP_NAME)
#undef CLIP_NAME
};

enum { KEYS_PER_SECOND = 32 };

// How far the elbows bend in flex.
#define FLEX_DEGREES 110.0

enum { LEFT, RIGHT };

// In degrees and metres. All zeros give the bind pose.
typedef struct controls {
    vec3 root;
    double root_yaw;
    vec3 hips;                  // offset from the bind pose
    vec3 rotation[JOINT_COUNT]; // pitch, yaw, roll; not used for legs, which follow the ankles
    vec3 ankle[2];              // offset from the bind pose, relative to the root
    double foot_pitch[2];
} controls;

// `raise` lifts the arm, `forward` brings it to the front, `bend` folds the elbow to the front.
static void set_arm(controls* c, int side, double raise, double forward, double bend) {
    double s = side == LEFT ? 1.0 : -1.0;
    c->rotation[side == LEFT ? JOINT_arm_l : JOINT_arm_r] = (vec3){0.0, -s * forward, s * raise};
    c->rotation[side == LEFT ? JOINT_forearm_l : JOINT_forearm_r] = (vec3){0.0, -s * bend, 0.0};
}

// `back` leans the ear backwards, `out` spreads it; the tip leans back by `tip_back` more.
static void set_ear(controls* c, int side, double back, double out, double tip_back) {
    double s = side == LEFT ? 1.0 : -1.0;
    c->rotation[side == LEFT ? JOINT_ear_l : JOINT_ear_r] = (vec3){-back, 0.0, -s * out};
    c->rotation[side == LEFT ? JOINT_ear_tip_l : JOINT_ear_tip_r] = (vec3){-tip_back, 0.0, 0.0};
}

// 1 at 0 and at 1, and 0 half way between.
static double wave(double revolutions) {
    return 0.5 + 0.5 * cosine(revolutions);
}

static void at_ease(const sample_shape* shape, controls* c) {
    for (int side = LEFT; side <= RIGHT; ++side) {
        set_arm(c, side, -shape->arm_drop, 10.0, 18.0);
        c->ankle[side].x = (side == LEFT ? -1.0 : 1.0) * shape->leg_spread;
    }
}

static void idle(const sample_shape* shape, double t, controls* c) {
    at_ease(shape, c);
    double breath = 1.0 - wave(t / 2.0);
    c->hips.y = -0.18 * shape->unit * wave(t / 2.0);
    c->hips.x = 0.35 * shape->unit * sine(t / 4.0);
    c->rotation[JOINT_hips].z = -1.2 * sine(t / 4.0);
    c->rotation[JOINT_spine] = (vec3){1.5 - 1.5 * breath, 0.0, 1.0 * sine(t / 4.0)};
    c->rotation[JOINT_chest] = (vec3){-2.5 * breath, 0.0, 0.6 * sine(t / 4.0)};
    for (int side = LEFT; side <= RIGHT; ++side) {
        set_arm(c, side, -shape->arm_drop + 3.0 * breath, 10.0, 18.0 + 2.0 * breath);
    }
    set_ear(c, LEFT, 2.0 * sine(t / 4.0), 1.5 * sine(t / 4.0 + 0.2), 3.0 * sine(t / 4.0 - 0.1));
    set_ear(c, RIGHT, 2.0 * sine(t / 4.0 - 0.1), 1.5 * sine(t / 4.0 + 0.3), 0.0);
}

// Position of a foot in a gait; a phase of 1 is one cycle. During the first `stance` of the cycle
// the foot is on the ground and moves backwards at constant speed from stride to -stride, then it
// swings to the front.
static void set_step(const sample_shape* shape, controls* c, int side, double phase, double stance,
                     double height) {
    phase -= floor(phase);
    double s = shape->stride;
    if (phase < stance) {
        c->ankle[side].z = s * (1.0 - 2.0 * phase / stance);
        c->foot_pitch[side] = -10.0 * (1.0 - ramp(0.0, 0.15, phase));
    } else {
        double swing = (phase - stance) / (1.0 - stance);
        // A Hermite curve that leaves and meets the ground at the speed of the ground.
        double v = -2.0 * s / stance * (1.0 - stance);
        double a = swing, b = 1.0 - swing;
        c->ankle[side].z = -s * b * b * (1.0 + 2.0 * a) + s * a * a * (1.0 + 2.0 * b) +
                           v * (a * b * b - a * a * b);
        c->ankle[side].y = height * sine(0.5 * swing);
        c->foot_pitch[side] =
            28.0 * sine(0.5 * swing) * (1.0 - swing) - 10.0 * ramp(0.5, 1.0, swing);
    }
}

static void gait(const sample_shape* shape, double phase, double stance, double height,
                 controls* c) {
    double u = shape->unit;
    at_ease(shape, c);
    set_step(shape, c, LEFT, phase, stance, height);
    set_step(shape, c, RIGHT, phase + 0.5, stance, height);
    double forward = cosine(phase); // how far the left foot is in front
    double over_left = sine(phase); // how much of the weight is on it
    c->hips =
        (vec3){0.7 * u * over_left, -0.45 * u * wave(2.0 * phase) - 0.25 * shape->crouch, 0.0};
    c->rotation[JOINT_hips] = (vec3){2.0, -6.0 * forward, -4.0 * over_left};
    c->rotation[JOINT_spine] = (vec3){0.0, 4.0 * forward, 2.5 * over_left};
    c->rotation[JOINT_chest] = (vec3){-1.0, 7.0 * forward, 2.5 * over_left};
    c->rotation[JOINT_head] = (vec3){1.5 * cosine(2.0 * phase), -5.0 * forward, -1.0 * over_left};
    set_arm(c, LEFT, -shape->arm_drop, 12.0 - shape->arm_swing * forward, 22.0 - 10.0 * forward);
    set_arm(c, RIGHT, -shape->arm_drop, 12.0 + shape->arm_swing * forward, 22.0 + 10.0 * forward);
    for (int side = LEFT; side <= RIGHT; ++side) {
        set_ear(c, side, 4.0 + 5.0 * sine(2.0 * phase - 0.15), 2.0 * sine(2.0 * phase),
                6.0 + 9.0 * sine(2.0 * phase - 0.3));
    }
}

static void walk(const sample_shape* shape, double t, controls* c) {
    gait(shape, t, 0.58, shape->step_height, c);
}

// Two beats per second: sway and raise one arm after the other, then one pirouette.
static void dance(const sample_shape* shape, double t, controls* c) {
    double u = shape->unit;
    double sway = sine(t), beat = wave(2.0 * t);
    double spin = ramp(2.5, 3.75, t);
    c->root_yaw = 360.0 * spin;
    double spinning = ramp(2.25, 2.6, t) * (1.0 - ramp(3.6, 3.95, t));
    c->hips = (vec3){1.1 * u * sway * (1.0 - spinning), -0.55 * shape->crouch * beat, 0.0};
    c->rotation[JOINT_hips] = (vec3){2.0 * beat, 8.0 * sine(0.5 * t), -7.0 * sway};
    c->rotation[JOINT_spine] = (vec3){3.0 * beat, 5.0 * sine(0.5 * t), 7.0 * sway};
    c->rotation[JOINT_chest] = (vec3){-4.0 * beat, 7.0 * sine(0.5 * t), 6.0 * sway};
    c->rotation[JOINT_head] = (vec3){5.0 * beat - 3.0, -10.0 * sine(0.5 * t), 9.0 * sine(t + 0.15)};
    double raise = 32.0 * sway;
    double up = 45.0 * spinning;
    set_arm(c, LEFT, 14.0 + raise * (1.0 - spinning) + up * 0.5, 8.0, 30.0 + 18.0 * sway);
    set_arm(c, RIGHT, 14.0 - raise * (1.0 - spinning) + up * 0.5, 8.0, 30.0 - 18.0 * sway);
    for (int side = LEFT; side <= RIGHT; ++side) {
        double s = side == LEFT ? 1.0 : -1.0;
        set_ear(c, side, 5.0 * sine(2.0 * t - 0.2), 3.0 * sine(t) * s + 10.0 * spinning,
                10.0 * sine(2.0 * t - 0.35));
        // The foot without weight taps; during the pirouette both feet make small steps.
        double free_foot = ramp(0.2, 1.0, -s * sway);
        double hop = ramp(0.0, 0.6, s * sine(2.0 * t)) * spinning;
        c->ankle[side].x = -s * shape->leg_spread;
        c->ankle[side].y = 0.55 * shape->step_height * (free_foot * (1.0 - spinning) + 0.7 * hop);
        c->foot_pitch[side] = 16.0 * free_foot * (1.0 - spinning);
    }
}

#define JUMP_LAUNCH 0.625
#define JUMP_LAND   1.125

// The flight itself is a translation of the root: see add_flight.
static void jump_and_land(const sample_shape* shape, double t, controls* c) {
    double wind_up = ramp(0.0, 0.4375, t) * (1.0 - ramp(0.46875, JUMP_LAUNCH, t));
    double flight = ramp(0.5625, 0.75, t) * (1.0 - ramp(0.96875, JUMP_LAND, t));
    double landing =
        ramp(JUMP_LAND - 0.03125, JUMP_LAND + 0.15625, t) * (1.0 - ramp(1.375, 2.0, t));
    double bent = wind_up + 1.15 * landing;
    c->hips = (vec3){0.0, -shape->crouch * bent, -0.25 * shape->crouch * bent};
    c->rotation[JOINT_hips].x = 9.0 * bent - 3.0 * flight;
    c->rotation[JOINT_spine].x = 7.0 * bent - 4.0 * flight;
    c->rotation[JOINT_chest].x = 4.0 * bent - 5.0 * flight;
    c->rotation[JOINT_head].x = -16.0 * bent + 8.0 * flight;
    double air = sine((t - JUMP_LAUNCH) / (2.0 * (JUMP_LAND - JUMP_LAUNCH)));
    bool is_up = t > JUMP_LAUNCH && t < JUMP_LAND;
    for (int side = LEFT; side <= RIGHT; ++side) {
        double s = side == LEFT ? 1.0 : -1.0;
        set_arm(c, side, -shape->arm_drop * (1.0 - flight) + 38.0 * flight - 4.0 * bent,
                10.0 - 34.0 * wind_up + 12.0 * flight + 22.0 * landing, 18.0 + 12.0 * landing);
        set_ear(c, side, -8.0 * wind_up + 20.0 * flight - 10.0 * landing, 4.0 * flight,
                -8.0 * wind_up + 26.0 * flight - 14.0 * landing);
        c->ankle[side].x = -s * shape->leg_spread;
        c->ankle[side].y = is_up ? 0.6 * shape->step_height * air : 0.0;
        c->ankle[side].z = is_up ? -0.35 * shape->stride * air : 0.0;
        c->foot_pitch[side] = is_up ? 30.0 * air : 0.0;
    }
}

// 30 voxels per second at resolution 32, in metres per second.
static double run_speed(const sample_shape* shape) {
    return 30.0 * shape->extent / 31.5;
}

#define STOP_TIME 1.0

// Runs for a second, then the root stops from one key to the next with the left foot planted in
// front. After that the character straightens up and brings its feet together.
static void sudden_stop(const sample_shape* shape, double t, controls* c) {
    // Cycles per second such that a foot on the ground moves backwards as fast as the root moves
    // forwards.
    double cycles = floor(0.4 * run_speed(shape) / (2.0 * shape->stride) + 0.5);
    double stance = 2.0 * shape->stride * cycles / run_speed(shape);
    double run_time = t < STOP_TIME ? t : STOP_TIME;
    gait(shape, run_time * cycles, stance, 1.2 * shape->step_height, c);
    c->rotation[JOINT_hips].x += 5.0;
    c->rotation[JOINT_spine].x += 4.0;
    c->rotation[JOINT_head].x -= 7.0;
    if (t <= STOP_TIME) {
        return;
    }
    controls calm = {0};
    at_ease(shape, &calm);
    double settled = ramp(STOP_TIME, 2.0, t);
    // The hips wait until the left foot lifts, because they would pull it off the ground.
    c->hips = mix(c->hips, calm.hips, ramp(1.5625, 2.0, t));
    for (int j = 0; j < JOINT_COUNT; ++j) {
        c->rotation[j] = mix(c->rotation[j], calm.rotation[j], settled);
    }
    // The right foot comes down at once; the left one steps back to it much later.
    double down = ramp(STOP_TIME, STOP_TIME + 0.125, t);
    c->ankle[RIGHT] = mix(c->ankle[RIGHT], calm.ankle[RIGHT], down);
    c->foot_pitch[RIGHT] *= 1.0 - down;
    double back = ramp(1.5625, 1.9375, t);
    c->ankle[LEFT] = mix(c->ankle[LEFT], calm.ankle[LEFT], back);
    c->ankle[LEFT].y += 0.5 * shape->step_height * 4.0 * back * (1.0 - back);
    c->foot_pitch[LEFT] *= 1.0 - down;
}

// Both arms rise to the sides, turned outwards so that the inside of the elbow shows up and to the
// front; the elbows bend, hold, and all goes back.
static void flex(const sample_shape* shape, double t, controls* c) {
    at_ease(shape, c);
    double raised = ramp(0.0, 0.75, t) * (1.0 - ramp(3.125, 4.0, t));
    double bent = ramp(0.75, 1.75, t) * (1.0 - ramp(2.25, 3.125, t));
    c->rotation[JOINT_chest].x = -4.0 * raised;
    for (int side = LEFT; side <= RIGHT; ++side) {
        set_arm(c, side, 12.0 * raised - shape->arm_drop * (1.0 - raised), 10.0 * (1.0 - raised),
                18.0 * (1.0 - raised) + FLEX_DEGREES * bent);
        c->rotation[side == LEFT ? JOINT_arm_l : JOINT_arm_r].x = -60.0 * raised;
    }
}

static const struct {
    void (*control)(const sample_shape* shape, double t, controls* c);
    double seconds;
} clips[CLIP_COUNT] = {
    [CLIP_idle] = {idle, 4.0},
    [CLIP_walk] = {walk, 1.0},
    [CLIP_dance] = {dance, 4.0},
    [CLIP_jump_and_land] = {jump_and_land, 2.5},
    [CLIP_sudden_stop] = {sudden_stop, 2.5},
    [CLIP_flex] = {flex, 4.0},
};

int tlw_sample_clip_count(tlw_sample_variant variant) {
    return variant == TLW_SAMPLE_ATHLETIC ? CLIP_COUNT : CLIP_flex;
}

// Position of the knee of a leg from `hip` to *ankle, bent towards `pole`. Both bones keep their
// length. *ankle is moved if it is out of reach.
static vec3 solve_knee(vec3 hip, vec3* ankle, double thigh, double shin, vec3 pole) {
    vec3 reach = subtract(*ankle, hip);
    double d = length(reach);
    vec3 along = normalise(reach);
    double most = 0.9995 * (thigh + shin), least = 1.05 * fabs(thigh - shin) + 0.2 * thigh;
    d = d > most ? most : d < least ? least : d;
    *ankle = add(hip, scale(along, d));
    double x = (thigh * thigh - shin * shin + d * d) / (2.0 * d);
    double h2 = thigh * thigh - x * x;
    vec3 bend = normalise(subtract(pole, scale(along, dot(pole, along))));
    return add(add(hip, scale(along, x)), scale(bend, h2 > 0.0 ? sqrt(h2) : 0.0));
}

// From controls to the rotation of each joint relative to its bind pose, about the model's axes.
static void solve(const sample_shape* shape, const controls* c, quat rotations[JOINT_COUNT]) {
    for (int j = 0; j < JOINT_COUNT; ++j) {
        quat own = rotation(c->rotation[j].x, c->rotation[j].y, c->rotation[j].z);
        rotations[j] =
            j == JOINT_root ? QUAT_IDENTITY : multiply(rotations[tlw_sample_joint_parents[j]], own);
    }
    for (int side = LEFT; side <= RIGHT; ++side) {
        sample_joint leg = side == LEFT ? JOINT_leg_l : JOINT_leg_r;
        const vec3* at = shape->joints + leg; // hip, knee, ankle in the bind pose
        vec3 pelvis = shape->joints[JOINT_hips];
        quat carried = rotations[JOINT_hips];
        vec3 hip = add(add(pelvis, c->hips), rotate(carried, subtract(at[0], pelvis)));
        vec3 ankle = add(at[2], c->ankle[side]);
        vec3 thigh = subtract(at[1], at[0]), shin = subtract(at[2], at[1]);
        // The knee bends the same way as in the bind pose, so that zero controls give that pose.
        vec3 line = subtract(at[2], at[0]);
        vec3 pole =
            rotate(carried, subtract(thigh, scale(line, dot(thigh, line) / dot(line, line))));
        vec3 knee = solve_knee(hip, &ankle, length(thigh), length(shin), pole);
        // The rotation of the hips comes first, so that the thigh's twist is that of the hips.
        vec3 thigh_now = rotate(carried, normalise(thigh));
        rotations[leg] =
            multiply(rotation_between(thigh_now, normalise(subtract(knee, hip))), carried);
        vec3 shin_now = rotate(rotations[leg], normalise(shin));
        rotations[leg + 1] =
            multiply(rotation_between(shin_now, normalise(subtract(ankle, knee))), rotations[leg]);
        rotations[leg + 2] = rotation(c->foot_pitch[side], 0.0, 0.0);
    }
    rotations[JOINT_root] = rotation(0.0, c->root_yaw, 0.0);
    for (int j = 1; j < JOINT_COUNT; ++j) {
        rotations[j] = multiply(rotations[JOINT_root], rotations[j]);
    }
}

static quat local_rotation(const sample_rig* rig, const quat rotations[JOINT_COUNT], int joint) {
    if (joint == JOINT_root) {
        return rotations[joint];
    }
    sample_joint parent = tlw_sample_joint_parents[joint];
    quat own = multiply(conjugate(rotations[parent]), rotations[joint]);
    return quat_normalise(multiply(conjugate(rig->bind[parent]), multiply(own, rig->bind[joint])));
}

static sample_track* begin_track(sample_clip* clip, sample_joint joint, bool is_rotation,
                                 sample_interpolation interpolation) {
    sample_track* track = &clip->tracks[clip->track_count++];
    *track = (sample_track){.joint = joint,
                            .is_rotation = is_rotation,
                            .interpolation = interpolation,
                            .first_time = clip->time_count,
                            .first_value = clip->value_count};
    return track;
}

static void push_time(sample_clip* clip, sample_track* track, double t) {
    clip->times[clip->time_count++] = (float)t;
    ++track->key_count;
}

static void push_quat(sample_clip* clip, quat r) {
    float* out = clip->values + clip->value_count;
    out[0] = (float)r.x, out[1] = (float)r.y, out[2] = (float)r.z, out[3] = (float)r.w;
    clip->value_count += 4;
}

static void push_vec3(sample_clip* clip, vec3 v) {
    float* out = clip->values + clip->value_count;
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
    clip->value_count += 3;
}

// If all keys are equal, keeps the first only. Drops the track if that key is the bind pose, which
// the node has anyway.
static void end_sampled_track(sample_clip* clip, const sample_rig* rig) {
    sample_track* track = &clip->tracks[clip->track_count - 1];
    uint32_t width = track->is_rotation ? 4 : 3;
    const float* first = clip->values + track->first_value;
    for (uint32_t k = 1; k < track->key_count; ++k) {
        if (memcmp(first, first + (size_t)k * width, width * sizeof(float)) != 0) {
            return;
        }
    }
    track->key_count = 1;
    clip->value_count = track->first_value + width;
    quat r = rig->local_rotation[track->joint];
    vec3 v = rig->local_translation[track->joint];
    double rest[4] = {track->is_rotation ? r.x : v.x, track->is_rotation ? r.y : v.y,
                      track->is_rotation ? r.z : v.z, r.w};
    double difference = 0.0;
    for (uint32_t i = 0; i < width; ++i) {
        difference = fmax(difference, fabs(rest[i] - (double)first[i]));
    }
    if (difference < 1e-7) {
        clip->value_count = track->first_value;
        --clip->track_count;
    }
}

// The tip of the right ear twitches, with STEP keys that a reader must not blend.
static void add_twitch(const sample_rig* rig, sample_clip* clip) {
    static const double keys[][2] = {{0.0, 0.0},     {1.5, -16.0}, {1.625, 8.0}, {1.75, 0.0},
                                     {2.875, -12.0}, {3.0, 0.0},   {4.0, 0.0}};
    sample_track* track = begin_track(clip, JOINT_ear_tip_r, true, LERP_STEP);
    for (size_t k = 0; k < TLW_COUNT_OF(keys); ++k) {
        quat own = rotation(keys[k][1], 0.0, 0.0);
        quat to_parent = conjugate(rig->bind[JOINT_ear_r]);
        push_time(clip, track, keys[k][0]);
        push_quat(clip, multiply(to_parent, multiply(own, rig->bind[JOINT_ear_tip_r])));
    }
}

// The head looks around, on a spline with zero tangents at each key.
static void add_look(const sample_rig* rig, sample_clip* clip) {
    static const vec3 looks[] = {{0.0, 0.0, 0.0},    {-3.0, 16.0, 3.0},  {-2.0, 18.0, 4.0},
                                 {4.0, -14.0, -4.0}, {3.0, -15.0, -3.0}, {0.0, 0.0, 0.0}};
    static const double times[] = {0.0, 0.75, 1.5, 2.25, 3.25, 4.0};
    sample_track* track = begin_track(clip, JOINT_head, true, LERP_CUBIC);
    for (size_t k = 0; k < TLW_COUNT_OF(looks); ++k) {
        quat own = rotation(looks[k].x, looks[k].y, looks[k].z);
        quat to_parent = conjugate(rig->bind[JOINT_chest]);
        push_time(clip, track, times[k]);
        push_quat(clip, (quat){0.0, 0.0, 0.0, 0.0});
        push_quat(clip, multiply(to_parent, multiply(own, rig->bind[JOINT_head])));
        push_quat(clip, (quat){0.0, 0.0, 0.0, 0.0});
    }
}

// The flight of the jump is a parabola. A cubic spline whose tangents are the speeds is exactly
// that.
static void add_flight(const sample_shape* shape, sample_clip* clip) {
    double half = 0.5 * (JUMP_LAND - JUMP_LAUNCH);
    double speed = 2.0 * shape->leap / half;
    // time, tangent in, height, tangent out
    double keys[][4] = {{0.0, 0.0, 0.0, 0.0},
                        {JUMP_LAUNCH, 0.0, 0.0, speed},
                        {JUMP_LAUNCH + half, 0.0, shape->leap, 0.0},
                        {JUMP_LAND, -speed, 0.0, 0.0},
                        {clips[CLIP_jump_and_land].seconds, 0.0, 0.0, 0.0}};
    sample_track* track = begin_track(clip, JOINT_root, false, LERP_CUBIC);
    for (size_t k = 0; k < TLW_COUNT_OF(keys); ++k) {
        push_time(clip, track, keys[k][0]);
        for (int i = 1; i < 4; ++i) {
            push_vec3(clip, (vec3){0.0, keys[k][i], 0.0});
        }
    }
}

static void add_run(const sample_shape* shape, sample_clip* clip) {
    double distance = run_speed(shape) * STOP_TIME;
    sample_track* track = begin_track(clip, JOINT_root, false, LERP_LINEAR);
    push_time(clip, track, 0.0);
    push_vec3(clip, (vec3){0.0, 0.0, 0.0});
    push_time(clip, track, STOP_TIME);
    push_vec3(clip, (vec3){0.0, 0.0, distance});
    push_time(clip, track, clips[CLIP_sudden_stop].seconds);
    push_vec3(clip, (vec3){0.0, 0.0, distance});
}

static bool has_own_track(sample_clip_id id, int joint) {
    return id == CLIP_idle && (joint == JOINT_head || joint == JOINT_ear_tip_r);
}

void tlw_sample_make_clip(const sample_shape* shape, const sample_rig* rig, sample_clip_id id,
                          sample_clip* clip) {
    memset(clip, 0, sizeof *clip);
    uint32_t key_count = (uint32_t)(clips[id].seconds * KEYS_PER_SECOND) + 1;
    for (uint32_t k = 0; k < key_count; ++k) {
        clip->times[clip->time_count++] = (float)((double)k / KEYS_PER_SECOND);
    }
    // Goes joint by joint and solves all poses again for each joint. That takes less time than
    // making the mesh, and no poses have to be stored.
    for (int j = -1; j < JOINT_COUNT; ++j) {
        bool is_rotation = j >= 0; // -1: the translation of the hips
        if (has_own_track(id, j)) {
            continue;
        }
        sample_track* track =
            begin_track(clip, is_rotation ? (sample_joint)j : JOINT_hips, is_rotation, LERP_LINEAR);
        track->first_time = 0;
        track->key_count = key_count;
        quat last = QUAT_IDENTITY;
        for (uint32_t k = 0; k < key_count; ++k) {
            controls c = {0};
            clips[id].control(shape, (double)k / KEYS_PER_SECOND, &c);
            if (!is_rotation) {
                push_vec3(clip, add(rig->local_translation[JOINT_hips], c.hips));
                continue;
            }
            quat rotations[JOINT_COUNT];
            solve(shape, &c, rotations);
            quat r = local_rotation(rig, rotations, j);
            if (quat_dot(r, last) < 0.0) { // the shorter way from key to key
                r = (quat){-r.x, -r.y, -r.z, -r.w};
            }
            last = r;
            push_quat(clip, r);
        }
        end_sampled_track(clip, rig);
    }
    if (id == CLIP_idle) {
        add_twitch(rig, clip);
        add_look(rig, clip);
    } else if (id == CLIP_jump_and_land) {
        add_flight(shape, clip);
    } else if (id == CLIP_sudden_stop) {
        add_run(shape, clip);
    }
}
